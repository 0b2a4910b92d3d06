// `make docker-build`: the image that config/manager and the chart name, or another one.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { IMAGE } from '#operator/deployment.ts'
import packageFile from '#package.json' with { type: 'json' }
import { fail } from './cluster/fail.ts'

const root = join(import.meta.dirname, '..')
const tool = process.env.CONTAINER_TOOL || 'docker'
const image = process.env.IMG || `${IMAGE}:${packageFile.version}`
// Left out: for machines like this one.
const platform = process.env.PLATFORM ? [`--platform=${process.env.PLATFORM}`] : []

const { error } = spawnSync(tool, ['--version'])
if (error) {
  fail(
    `${tool} could not be run`,
    `images are built with it: ${error.message}`,
    'install it and put it on the PATH, or name another program: `make docker-build CONTAINER_TOOL=podman`',
  )
}
process.exitCode =
  spawnSync(tool, ['build', ...platform, '--tag', image, root], { stdio: 'inherit' }).status ?? 1
