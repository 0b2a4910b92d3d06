import { join } from 'node:path'
import type { BuildOptions } from 'esbuild'

/** What brings machine code, and so cannot be bundled: the embedded API's database, found in node_modules when it is wanted. */
export const BESIDE_THE_BUNDLE = ['lmdb']

/** The shipped program: one file that starts at once, and those that it loads when they are wanted. */
export const bundle = {
  absWorkingDir: join(import.meta.dirname, '..'),
  entryPoints: { 'talos-operator': 'src/cli/main.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  minifySyntax: true,
  // Node keeps the text of all that it loads in memory. Names stay, so that a stack says where something happened.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'linked',
  external: BESIDE_THE_BUNDLE,
  // Bundled CommonJS modules (commander) call require for Node's own modules.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
} satisfies BuildOptions
