// A simulation for suites, with what talosctl needs to use it.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { talosconfigFor } from '#machineconfig/secrets/talosconfig.ts'
import { writeTalosconfig } from '#machineconfig/secrets/talosconfig-file.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'

export interface Done {
  readonly exitCode: number
  /** Both streams, as a user sees them. */
  readonly text: string
}

export interface ASimulation extends AsyncDisposable {
  readonly simulation: Simulation
  readonly folder: string
  /** `127.71.0.1` for 1. */
  address(machine: number): string
  /** Runs talosctl as somebody with a role, `admin` unless told. */
  talosctl(args: string, role?: string): Promise<Done>
  kubectl(args: string): Promise<Done>
}

interface Versions {
  readonly talos: string
  readonly kubernetes: string
}

const SPEED = 30
// Of one command, if it does not hang: an upgrade of Kubernetes looks at each node every ten seconds.
const LONGEST_MS = 240_000

/** Machines in maintenance mode, and in a folder: configurations, and a talosconfig for each role. */
export async function aSimulation(
  subnet: string,
  count: number,
  versions: Versions = { talos: 'v1.13.0', kubernetes: '1.36.0' },
): Promise<ASimulation> {
  const programs = await realPrograms(['talosctl', 'kubectl'])
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-simulation-'))
  const address = (machine: number) => `${subnet}.${machine}`
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const simulation = await startSimulation({
    machines: numbers.map((number) => ({ address: address(number), talosVersion: versions.talos })),
    log: SILENT,
    speed: SPEED,
  })
  await writeFiles(folder, address(1), versions)
  return {
    simulation,
    folder,
    address,
    talosctl: (args, role = 'admin') =>
      run(
        programs.talosctl,
        ['--talosconfig', join(folder, `talosconfig-${role}`), ...words(args)],
        folder,
      ),
    kubectl: (args) =>
      run(programs.kubectl, ['--kubeconfig', join(folder, 'kubeconfig'), ...words(args)], folder),
    [Symbol.asyncDispose]: async () => {
      await simulation[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

async function writeFiles(folder: string, first: string, versions: Versions): Promise<void> {
  // Certificates are good from now on; the real programs may look at a clock that is a little behind.
  const now = new Date(Date.now() - 60_000)
  const secrets = await generateBundle({ talosVersion: versions.talos, now })
  for (const role of ['controlplane', 'worker'] as const) {
    const config = generateConfig(role, {
      clusterName: 'one',
      endpoint: `https://${first}:6443`,
      secrets,
      talosVersion: versions.talos,
      kubernetesVersion: versions.kubernetes,
    })
    await writeFile(join(folder, `${role}.yaml`), writeConfig(config))
  }
  for (const role of ['admin', 'operator', 'reader', 'etcd:backup']) {
    await writeTalosconfigOf(role, { folder, first, secrets, now })
  }
}

async function writeTalosconfigOf(
  role: string,
  {
    folder,
    first,
    secrets,
    now,
  }: { folder: string; first: string; secrets: SecretsBundle; now: Date },
): Promise<void> {
  const talosconfig = await talosconfigFor({
    ...{ clusterName: 'one', endpoints: [first], nodes: [first], ca: secrets.talos },
    ...{ roles: [`os:${role}`], now },
  })
  await writeFile(join(folder, `talosconfig-${role}`), writeTalosconfig(talosconfig).open())
}

const words = (args: string): readonly string[] => args.split(' ')

const run = (program: string, args: readonly string[], cwd: string): Promise<Done> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd, timeout: LONGEST_MS }, (error, out, err) => {
      const exitCode = typeof error?.code === 'number' ? error.code : error ? 1 : 0
      resolve({ exitCode, text: `${out}${err}` })
    })
  })

const SILENT = {
  error: () => {},
  warn: () => {},
  info: () => {},
  debug: () => {},
  with: () => SILENT,
}
