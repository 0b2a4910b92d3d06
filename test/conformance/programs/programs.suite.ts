import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { realPrograms } from './build.ts'
import { type ProgramName, programNames, programs } from './programs.ts'

const ASKED_BY: Record<ProgramName, string[]> = {
  'kube-apiserver': ['--version'],
  'kube-controller-manager': ['--version'],
  kubectl: ['version', '--client'],
  etcd: ['--version'],
  talosctl: ['version', '--client', '--short'],
  helm: ['version'],
  versitygw: ['--version'],
}

test.each(programNames)('%s prints the version that is pinned', async (name) => {
  const home = await mkdtemp(join(tmpdir(), 'talos-operator-version-'))
  onTestFinished(() => rm(home, { recursive: true }))
  // Those in KUBEBUILDER_ASSETS are somebody else's, of a version of their own.
  const built = await realPrograms([name], { env: { ...process.env, KUBEBUILDER_ASSETS: '' } })

  const { stdout } = await promisify(execFile)(built[name], ASKED_BY[name], {
    env: { HOME: home, KUBECONFIG: '' },
  })

  const version = programs[name].version.replace(/^v/, '')
  expect(stdout.match(/\d+\.\d+\.\d+/)?.[0]).toBe(version)
})
