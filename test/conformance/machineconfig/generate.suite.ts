import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import { machineConfigFor } from '#machineconfig/generate/machine-config-for.ts'
import type { Role } from '#machineconfig/generate/options.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { readBundle } from '#machineconfig/secrets/bundle-file.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { newerOptionSets, type OptionSet, optionSets } from './generate-options.ts'

const CONTRACTS = [5, 6, 7, 8, 9, 10, 11, 12, 13]
const ROLES: Role[] = ['controlplane', 'worker']

interface Case extends OptionSet {
  at: number
  contract: number
}

const cases: Case[] = CONTRACTS.flatMap((contract) =>
  [...optionSets, ...newerOptionSets.filter(({ since }) => since <= contract)].map((set) => ({
    ...set,
    contract,
  })),
).map((one, at) => ({ ...one, at }))

let folder: string
let talosctl: string
let secrets: SecretsBundle
const made = new Map<Case, Promise<string>>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-generate-'))
  const programs = await realPrograms(['talosctl'])
  talosctl = programs.talosctl
  await run(['gen', 'secrets', '-o', secretsFile()])
  secrets = readBundle(await readFile(secretsFile(), 'utf8'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const secretsFile = (): string => join(folder, 'secrets.yaml')

/** Its exit code, and all that it said. */
const run = (args: string[]): Promise<{ failed: boolean; said: string }> =>
  new Promise((resolve) => {
    execFile(talosctl, args, (error, stdout, stderr) =>
      resolve({ failed: error !== null, said: stdout + stderr }),
    )
  })

/** The folder with what talosctl makes of a case. The next case is begun meanwhile: two cores, two programs. */
function madeByTalosctl(one: Case): Promise<string> {
  for (const each of cases.slice(one.at, one.at + 2)) {
    if (!made.has(each)) made.set(each, make(each))
  }
  return made.get(one) ?? make(one)
}

async function make({ at, contract, endpoint, flags }: Case): Promise<string> {
  const target = join(folder, `${at}`)
  const { failed, said } = await run([
    ...['gen', 'config', 'one', endpoint, '--with-secrets', secretsFile()],
    ...['--talos-version', `v1.${contract}`, '--with-docs=false', '--with-examples=false'],
    ...['--output-types', 'controlplane,worker', '-o', target, ...flags],
  ])
  if (failed) throw new Error(said)
  return target
}

const ours = (role: Role, { contract, endpoint, options }: Case): MachineConfig =>
  generateConfig(role, {
    clusterName: 'one',
    endpoint,
    secrets,
    talosVersion: `v1.${contract}`,
    kubernetesVersion: '',
    ...options,
  })

const content = ({ documents }: MachineConfig): unknown[] =>
  documents.map(({ kind, fields }) => ({ kind: kind.kind, fields }))

describe('what talosctl generates, we generate', () => {
  test.each(cases)('v1.$contract: $title', async (one) => {
    const target = await madeByTalosctl(one)
    for (const role of ROLES) {
      const text = await readFile(join(target, `${role}.yaml`), 'utf8')
      const config = ours(role, one)

      expect(content(config)).toEqual(content(readConfig(text)))
      expect(writeConfig(config).split('\n')).toEqual(text.split('\n'))
    }
  })
})

describe('an endpoint that talosctl refuses, we refuse in its words', () => {
  test.each([
    '',
    '192.0.2.1',
    '192.0.2.1:6443',
    '[2001:db8::1]:6443',
    'cluster.example',
    'http://192.0.2.1:6443',
    'http://192.0.2.1',
    'https://',
    'https://:6443',
    'https:/x',
    'https://a:b',
    'https://a:0',
    'https://a:65536',
    'https://2001:db8::1',
    'https://[2001:db8::1',
    'https://[2001:db8::1]x:1',
    'https://[zz]:1',
    'https://a b',
  ])('%j', async (endpoint) => {
    const { failed, said } = await run(['gen', 'config', 'one', endpoint, '-o', join(folder, 'no')])
    const attempt = () =>
      generateConfig('worker', {
        clusterName: 'one',
        endpoint,
        secrets,
        talosVersion: 'v1.13',
        kubernetesVersion: '',
      })

    expect(failed).toBe(true)
    expect(attempt).toThrow(new ConfigError(said.trim()))
  })
})

describe('what our kinds ask for on top, the real talosctl accepts', () => {
  // What v1.5 has, too, is the latter only.
  const watchdog = {
    apiVersion: 'v1alpha1',
    kind: 'WatchdogTimerConfig',
    device: '/dev/watchdog0',
  }
  const kernelLog = {
    apiVersion: 'v1alpha1',
    kind: 'KmsgLogConfig',
    name: 'one',
    url: 'udp://192.0.2.9:5514',
  }
  const wishes = CONTRACTS.flatMap((contract) => ROLES.map((role) => ({ contract, role })))

  test.each(wishes)('v1.$contract: $role', async ({ contract, role }) => {
    const config = machineConfigFor({
      role,
      cluster: {
        clusterName: 'one',
        endpoint: 'https://192.0.2.1:6443',
        secrets,
        talosVersion: `v1.${contract}.0`,
        kubernetesVersion: '1.36.0',
        componentVersions: { apiServer: '1.36.3', scheduler: '1.36.1' },
        podSubnets: ['10.1.0.0/16', 'fd00:1::/56'],
        serviceSubnets: ['10.2.0.0/16', 'fd00:2::/112'],
      },
      machine: {
        installDisk: '/dev/vda',
        wipe: true,
        image: 'registry.example/installer',
        bootloader: true,
        extraKernelArgs: ['console=ttyS0'],
        airGap: true,
        imageCache: contract >= 9,
        allowSchedulingOnControlPlanes: true,
        kubelet: { image: 'ghcr.io/siderolabs/kubelet:v1.36.0', extraArgs: { v: '4' } },
        timeServers: ['192.0.2.7'],
        hostname: 'one.example',
        certSans: ['one.example'],
      },
      registries: { mirrors: { 'docker.io': { endpoints: ['https://mirror.example'] } } },
      additionalDocuments: [
        { name: 'additionalConfig[0]', value: contract < 7 ? kernelLog : watchdog },
      ],
    })
    const path = join(folder, 'config.yaml')
    await writeFile(path, writeConfig(config))

    const { failed, said } = await run(['validate', '-m', 'metal', '--strict', '-c', path])

    expect(said).toBe(`${path} is valid for metal mode\n`)
    expect(failed).toBe(false)
  })
})
