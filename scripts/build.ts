// The shipped program: one file, no node_modules needed beside it.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const outfile = 'dist/talos-operator.mjs'

await build({
  absWorkingDir: root,
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
process.stdout.write(`${outfile} ${Math.ceil((await stat(join(root, outfile))).size / 1024)} KB\n`)
