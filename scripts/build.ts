// The shipped program: one file, no node_modules needed beside it.

import { chmod, stat } from 'node:fs/promises'
import { build } from 'esbuild'

const outfile = 'dist/talos-operator.mjs'

await build({
  absWorkingDir: new URL('..', import.meta.url).pathname,
  entryPoints: ['src/cli/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  minifySyntax: true,
  legalComments: 'linked',
  // Bundled CommonJS modules (commander) call require for Node's own modules.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
})
await chmod(outfile, 0o644)
process.stdout.write(`${outfile} ${Math.ceil((await stat(outfile)).size / 1024)} KB\n`)
