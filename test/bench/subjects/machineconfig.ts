// Makes secrets and machine configurations, as the operator does.

import { systemClock } from '#base/clock.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { ClusterOptions } from '#machineconfig/generate/options.ts'
import { applyPatches } from '#machineconfig/patch/apply-patches.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { validateConfig } from '#machineconfig/validate/validate.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { Block } from '#test/bench/loop-probe.ts'
import { answerQuestions } from './answering.ts'
import { WatchedLoop } from './watched-loop.ts'

const TALOS = 'v1.13.0'
// Before v1.7 the key for service accounts is no RSA key.
const WITHOUT_RSA = 'v1.6.0'

const PATCH = `machine:
  network:
    interfaces:
      - interface: eth0
        addresses: [192.0.2.7/24]
        routes: [{ network: 0.0.0.0/0, gateway: 192.0.2.1 }]
  kubelet:
    extraArgs: { rotate-server-certificates: "true" }
  sysctls: { net.core.somaxconn: "65535" }
cluster:
  apiServer:
    certSANs: [api.example]
---
apiVersion: v1alpha1
kind: VolumeConfig
name: EPHEMERAL
provisioning:
  diskSelector: { match: "disk.transport == 'nvme' && !system_disk" }
  maxSize: 100GiB
`

/** One machine's configuration, from options to text. */
function configure(options: ClusterOptions, at: number): number {
  const role = at % 2 === 0 ? 'controlplane' : 'worker'
  const patch = loadPatch({ name: 'configPatches[0]', text: PATCH })
  const config = applyPatches(generateConfig(role, options), [patch])
  const { errors } = validateConfig(config, { mode: 'metal', strict: true, talosVersion: TALOS })
  if (errors.length > 0) throw new Error(errors.join('\n'))
  return writeConfig(config).length
}

async function optionsOf(): Promise<ClusterOptions> {
  return {
    clusterName: 'bench',
    endpoint: 'https://192.0.2.1:6443',
    secrets: await generateBundle({ talosVersion: TALOS, now: systemClock.now() }),
    talosVersion: TALOS,
    kubernetesVersion: '1.36.0',
  }
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

const answers = {
  /** Makes so many, after a warm-up. */
  async configurations({ warmUp, count }: { warmUp: number; count: number }) {
    const options = await optionsOf()
    let letters = 0
    for (let at = 0; at < warmUp; at++) letters += configure(options, at)
    const [start, startCpu] = [performance.now(), cpuMs()]
    letters = 0
    for (let at = 0; at < count; at++) letters += configure(options, at)
    const seconds = (performance.now() - start) / 1e3
    return { seconds, cpuSeconds: (cpuMs() - startCpu) / 1e3, letters: letters / count }
  },

  /** How long each of so many bundles takes, one after the other, without an RSA key. */
  async bundles(count: number): Promise<number[]> {
    const took: number[] = []
    for (let at = 0; at < count; at++) {
      const start = performance.now()
      await generateBundle({ talosVersion: WITHOUT_RSA, now: systemClock.now() })
      took.push(performance.now() - start)
    }
    return took
  },

  /** The longest turn of the event loop while so many bundles are made, RSA keys and all. */
  async block(count: number): Promise<Block> {
    const loop = new WatchedLoop()
    for (let at = 0; at < count; at++) {
      await generateBundle({ talosVersion: TALOS, now: systemClock.now() })
    }
    return loop.longestBlock()
  },
}

export type MachineconfigSubject = typeof answers

answerQuestions(answers)
