//! Network addresses.

use super::any::Generate;
use super::options::unexpected;
use super::{Any, Facts, Generator, Wanted, any, free_part};
use crate::choice::Site;
use crate::mismatch::Segment;
use crate::reflect::{Reflected, Reflector};
use crate::sketch::Sketch;
use crate::source::{Chance, CustomDistribution, Distribution, Drawn, Extent, Form, Rng, Source, share_of_32_bits};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

static IP: Site = Site::pick("ip_addr", &["V4", "V6"], file!(), line!());
static SOCKET: Site = Site::pick("socket_addr", &["V4", "V6"], file!(), line!());
static IPV6: Site = Site::call("ipv6_addr", file!(), line!());
static SOCKET_V4: Site = Site::call("socket_addr_v4", file!(), line!());
static SOCKET_V6: Site = Site::call("socket_addr_v6", file!(), line!());

/// Half of the draws are one of these, the others any.
#[inline]
fn favouring(list: &[u64], max: u64, rng: &mut Rng) -> u64 {
    let dice = rng.next();
    if dice & 1 == 0 {
        list[(((dice >> 32) * list.len() as u64) >> 32) as usize]
    } else {
        Distribution::Mixed.draw(max, rng)
    }
}

fn chance_of_favoured(list: &[u64], index: u64, max: u64) -> Option<Chance> {
    let mut chance = Distribution::Mixed.chance(index, max)?.times(Chance::new(1, 2))?;
    for (place, favourite) in list.iter().enumerate() {
        if *favourite == index {
            chance = chance.plus(Chance::new(share_of_32_bits(place as u64, list.len() as u64), 1 << 33))?;
        }
    }
    Some(chance)
}

macro_rules! favouring {
    ($($name:ident = $list:expr;)*) => {$(
        const $name: Distribution = Distribution::Custom(CustomDistribution {
            draw: |max, _, rng| {
                const LIST: &[u64] = $list;
                favouring(LIST, max, rng)
            },
            parameters: [0; 4],
            chance: Some(|index, max, _| {
                const LIST: &[u64] = $list;
                chance_of_favoured(LIST, index, max)
            }),
        });
    )*};
}

favouring! {
    IPV4_LAW = &[
        0,           // 0.0.0.0, unspecified
        0x7F00_0001, // 127.0.0.1, this machine
        0xFFFF_FFFF, // 255.255.255.255, broadcast
        0x0A00_0001, // 10.0.0.1, private
        0xAC10_0001, // 172.16.0.1, private
        0xC0A8_0001, // 192.168.0.1, private
        0xA9FE_0001, // 169.254.0.1, this link
        0x6440_0001, // 100.64.0.1, shared
        0xC000_0201, // 192.0.2.1, documentation
        0xE000_0001, // 224.0.0.1, multicast
        0xF000_0001, // 240.0.0.1, reserved
    ];
    // The two halves of an address: what kind it is, and which one.
    IPV6_HIGH = &[
        0,                     // ::, and IPv4 within IPv6
        0xFE80_0000_0000_0000, // this link
        0xFC00_0000_0000_0000, // private
        0xFF02_0000_0000_0000, // multicast
        0x2001_0DB8_0000_0000, // documentation
        0x0064_FF9B_0000_0000, // translated
    ];
    IPV6_LOW = &[
        0,                     // unspecified
        1,                     // this machine
        0x0000_FFFF_7F00_0001, // ::ffff:127.0.0.1
        0x0000_0000_7F00_0001, // ::127.0.0.1
        2,
        u64::MAX,
    ];
    PORT_LAW = &[0, 1, 22, 53, 80, 443, 1023, 1024, 8080, 49_152, 65_535];
    SCOPE_LAW = &[0, 0, 0, 1];
}
/// `Debug` does not print the flow label, so that a random one could not be read back. It is drawn
/// as 0; any other is recalled and replayed.
const FLOW_LAW: Distribution = Distribution::Always(0);

const LAST_V4: u64 = u32::MAX as u64;
const LAST_PORT: u64 = u16::MAX as u64;

/// IPv4 addresses by their number: 0.0.0.0 is the simplest. Half are well known: unspecified, this
/// machine, broadcast, private, multicast, documentation.
///
/// ```
/// use retrospect::prelude::*;
/// use std::net::Ipv4Addr;
/// assert_eq!(any::<Ipv4Addr>().replay(&Choices::default()), Ipv4Addr::UNSPECIFIED);
/// assert_eq!(any::<Ipv4Addr>().choices_of(&Ipv4Addr::new(0, 0, 1, 2)).unwrap().to_string(), "258");
/// ```
impl Generate for Ipv4Addr {
    type Generator = Any<Ipv4Addr>;
    #[inline]
    fn generator() -> Any<Ipv4Addr> {
        Any::new()
    }
}

/// IPv6 addresses by the two halves of their number: `::` is the simplest. Half of the halves are
/// those of well-known addresses, such as `::1` and `fe80::1`.
///
/// ```
/// use retrospect::prelude::*;
/// use std::net::Ipv6Addr;
/// assert_eq!(any::<Ipv6Addr>().replay(&Choices::default()), Ipv6Addr::UNSPECIFIED);
/// assert_eq!(any::<Ipv6Addr>().choices_of(&Ipv6Addr::LOCALHOST).unwrap().to_string(), "(0 1)");
/// ```
impl Generate for Ipv6Addr {
    type Generator = Any<Ipv6Addr>;
    #[inline]
    fn generator() -> Any<Ipv6Addr> {
        Any::new()
    }
}

/// Addresses of version 4, the simplest, and 6, both as likely.
///
/// ```
/// use retrospect::prelude::*;
/// use std::net::{IpAddr, Ipv4Addr};
/// assert_eq!(any::<IpAddr>().replay(&Choices::default()), IpAddr::V4(Ipv4Addr::UNSPECIFIED));
/// assert_eq!(any::<IpAddr>().choices_of(&"::1".parse().unwrap()).unwrap().to_string(), "1:V6((0 1))");
/// ```
impl Generate for IpAddr {
    type Generator = Any<IpAddr>;
    #[inline]
    fn generator() -> Any<IpAddr> {
        Any::new()
    }
}

/// An IPv4 address and a port; half of the ports are well-known ones.
///
/// ```
/// use retrospect::prelude::*;
/// use std::net::SocketAddrV4;
/// assert_eq!(any::<SocketAddrV4>().choices_of(&"0.0.0.1:80".parse().unwrap()).unwrap().to_string(), "(1 80)");
/// ```
impl Generate for SocketAddrV4 {
    type Generator = Any<SocketAddrV4>;
    #[inline]
    fn generator() -> Any<SocketAddrV4> {
        Any::new()
    }
}

/// An IPv6 address, a port, a flow label and a scope. At random the flow label is 0, since `Debug`
/// does not print it; others are recalled and replayed all the same.
///
/// ```
/// use retrospect::prelude::*;
/// use std::net::{Ipv6Addr, SocketAddrV6};
/// let address = SocketAddrV6::new(Ipv6Addr::LOCALHOST, 80, 5, 0);
/// let addresses = any::<SocketAddrV6>();
/// assert_eq!(addresses.replay(&addresses.choices_of(&address).unwrap()).flowinfo(), 5);
/// assert!(addresses.samples(1).take(100).all(|address| address.flowinfo() == 0));
/// ```
impl Generate for SocketAddrV6 {
    type Generator = Any<SocketAddrV6>;
    #[inline]
    fn generator() -> Any<SocketAddrV6> {
        Any::new()
    }
}

/// Addresses of version 4, the simplest, and 6, both as likely.
///
/// ```
/// use retrospect::prelude::*;
/// use std::net::SocketAddr;
/// assert_eq!(any::<SocketAddr>().read("127.0.0.1:80").unwrap().port(), 80);
/// assert!(any::<SocketAddr>().samples(1).take(100).any(|address| address.is_ipv6()));
/// ```
impl Generate for SocketAddr {
    type Generator = Any<SocketAddr>;
    #[inline]
    fn generator() -> Any<SocketAddr> {
        Any::new()
    }
}

/// All of them are read from their text by the standard library.
macro_rules! complete_by_parsing {
    ($expected:literal) => {
        #[inline]
        fn complete(&self, sketch: &Sketch<'_>, source: &mut Source<'_>) -> Drawn<Self::Value> {
            if sketch.is_hole() {
                return self.generate(source);
            }
            sketch.text().parse().map_err(|_| unexpected($expected, sketch, source))
        }
    };
}

impl Generator for Any<Ipv4Addr> {
    type Value = Ipv4Addr;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Ipv4Addr> {
        source.number(LAST_V4, IPV4_LAW).map(|index| Ipv4Addr::from_bits(index as u32))
    }
    #[inline]
    fn facts(&self, wanted: Wanted) -> Facts {
        Facts { extent: Extent::UNKNOWN, ..Facts::NUMBER.known(self, wanted, || (Form::Number { max: LAST_V4 }, None)) }
    }

    #[inline]
    fn reflect(&self, value: &Ipv4Addr, reflector: &mut Reflector) -> Reflected {
        reflector.number(value.to_bits().into(), LAST_V4, IPV4_LAW)
    }
    complete_by_parsing!("an address such as 127.0.0.1");
}

impl Generator for Any<Ipv6Addr> {
    type Value = Ipv6Addr;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<Ipv6Addr> {
        source.call(&IPV6, |source| {
            let high = source.number_part(u64::MAX, IPV6_HIGH)?;
            let low = source.number_part(u64::MAX, IPV6_LOW)?;
            Ok(Ipv6Addr::from_bits(u128::from(high) << 64 | u128::from(low)))
        })
    }
    #[inline]
    fn reflect(&self, value: &Ipv6Addr, reflector: &mut Reflector) -> Reflected {
        let bits = value.to_bits();
        reflector.call(
            &IPV6,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| {
                let (high, low) = ((bits >> 64) as u64, bits as u64);
                reflector.part(Segment::Position(0), |reflector| reflector.number(high, u64::MAX, IPV6_HIGH))?;
                reflector.part(Segment::Position(1), |reflector| reflector.number(low, u64::MAX, IPV6_LOW))
            },
        )
    }
    complete_by_parsing!("an address such as ::1");
}

impl Generator for Any<SocketAddrV4> {
    type Value = SocketAddrV4;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<SocketAddrV4> {
        source.call(&SOCKET_V4, |source| {
            let ip = free_part(&any::<Ipv4Addr>(), source)?;
            let port = source.number_part(LAST_PORT, PORT_LAW)?;
            Ok(SocketAddrV4::new(ip, port as u16))
        })
    }
    #[inline]
    fn reflect(&self, value: &SocketAddrV4, reflector: &mut Reflector) -> Reflected {
        reflector.call(
            &SOCKET_V4,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| {
                reflector.part(Segment::Field("ip"), |reflector| any::<Ipv4Addr>().reflect(value.ip(), reflector))?;
                reflector.part(Segment::Field("port"), |reflector| {
                    reflector.number(value.port().into(), LAST_PORT, PORT_LAW)
                })
            },
        )
    }
    complete_by_parsing!("an address such as 127.0.0.1:80");
}

impl Generator for Any<SocketAddrV6> {
    type Value = SocketAddrV6;
    #[inline]
    fn generate(&self, source: &mut Source<'_>) -> Drawn<SocketAddrV6> {
        source.call(&SOCKET_V6, |source| {
            let ip = free_part(&any::<Ipv6Addr>(), source)?;
            let port = source.number_part(LAST_PORT, PORT_LAW)?;
            let flow = source.number_part(LAST_V4, FLOW_LAW)?;
            let scope = source.number_part(LAST_V4, SCOPE_LAW)?;
            Ok(SocketAddrV6::new(ip, port as u16, flow as u32, scope as u32))
        })
    }
    #[inline]
    fn reflect(&self, value: &SocketAddrV6, reflector: &mut Reflector) -> Reflected {
        reflector.call(
            &SOCKET_V6,
            || None,
            std::ptr::from_ref(value).cast(),
            |reflector| {
                reflector.part(Segment::Field("ip"), |reflector| any::<Ipv6Addr>().reflect(value.ip(), reflector))?;
                reflector.part(Segment::Field("port"), |reflector| {
                    reflector.number(value.port().into(), LAST_PORT, PORT_LAW)
                })?;
                reflector.part(Segment::Field("flowinfo"), |reflector| {
                    reflector.number(value.flowinfo().into(), LAST_V4, FLOW_LAW)
                })?;
                reflector.part(Segment::Field("scope_id"), |reflector| {
                    reflector.number(value.scope_id().into(), LAST_V4, SCOPE_LAW)
                })
            },
        )
    }
    complete_by_parsing!("an address such as [::1]:80");
}

macro_rules! either_version {
    ($($type:ident, $site:ident, $v4:ty, $v6:ty, $expected:literal;)*) => {$(
        impl Generator for Any<$type> {
            type Value = $type;
            #[inline]
            fn generate(&self, source: &mut Source<'_>) -> Drawn<$type> {
                source.call(&$site, |source| match source.pick(&$site, &[1, 1])? {
                    0 => free_part(&any::<$v4>(), source).map($type::V4),
                    _ => free_part(&any::<$v6>(), source).map($type::V6),
                })
            }
            #[inline]
            fn reflect(&self, value: &$type, reflector: &mut Reflector) -> Reflected {
                reflector.call(&$site, || None, std::ptr::from_ref(value).cast(), |reflector| match value {
                    $type::V4(address) => {
                        reflector.pick(&$site, &[1, 1], 0)?;
                        reflector.part(Segment::VariantPosition("V4", 0), |reflector| any::<$v4>().reflect(address, reflector))
                    }
                    $type::V6(address) => {
                        reflector.pick(&$site, &[1, 1], 1)?;
                        reflector.part(Segment::VariantPosition("V6", 0), |reflector| any::<$v6>().reflect(address, reflector))
                    }
                })
            }
            complete_by_parsing!($expected);
        }
    )*};
}

either_version! {
    IpAddr, IP, Ipv4Addr, Ipv6Addr, "an address such as 127.0.0.1 or ::1";
    SocketAddr, SOCKET, SocketAddrV4, SocketAddrV6, "an address such as 127.0.0.1:80 or [::1]:80";
}
