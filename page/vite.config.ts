import { defineConfig } from "vite";

// Three files with fixed names, which the subcommand embeds: crates/cargo-retrospect/src/ui/bundle.rs.
export default defineConfig({
  base: "/",
  plugins: [
    {
      name: "end-in-a-newline",
      generateBundle(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === "chunk" && !file.code.endsWith("\n")) file.code += "\n";
        }
      },
    },
  ],
  build: {
    target: "es2022",
    outDir: "../crates/cargo-retrospect/page",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "app.js",
        assetFileNames: "app[extname]",
      },
    },
  },
});
