// `make docker-build`: the image that config/manager and the chart name, or another one.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { IMAGE } from '#operator/deployment.ts'
import packageFile from '#package.json' with { type: 'json' }
import { fail } from './cluster/fail.ts'

const root = join(import.meta.dirname, '..')
const tool = process.env.CONTAINER_TOOL || 'docker'
const image = process.env.IMG || `${IMAGE}:${packageFile.version}`

const { error } = spawnSync(tool, ['--version'])
if (error) {
  fail(
    `${tool} could not be run`,
    `images are built with it: ${error.message}`,
    'install it and put it on the PATH, or name another program: `make docker-build CONTAINER_TOOL=podman`',
  )
}
if (!existsSync(join(root, 'Dockerfile'))) {
  fail(
    `there is no Dockerfile in ${root}`,
    'what the image is to hold is not written down yet',
    `run the operator from here with \`make run\`, or name an image that has it: \`make deploy IMG=<image>\``,
  )
}
process.exitCode =
  spawnSync(tool, ['build', '--tag', image, root], { stdio: 'inherit' }).status ?? 1
