import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#test/bench/free-port.ts'
import type { RunningApi } from '#test/conformance/apis.ts'
import type { Run } from '#test/conformance/commands.ts'
import { until } from '#test/until.ts'
import { type DeployedProgram, startDeployed } from './deployed-program.ts'

interface Place {
  namespace: string
  deployment: string
}

/**
 * Does for the pod of a Deployment what a kubelet would: starts its program, and says in the pod's status that it is
 * ready when its readiness probe is answered. Fails if there is no pod, or if the program does not get ready. Image and
 * ports are not the pod's: the program is the one in the repository, and listens where there is room.
 */
export async function runPodOf(run: Run, api: RunningApi, place: Place): Promise<DeployedProgram> {
  const { namespace } = place
  const pods = async () => {
    const { stdout } = await run('kubectl', ['get', 'pods', '-n', namespace, '-o', 'name'])
    return stdout.split('\n').filter(Boolean)
  }
  const [pod = ''] = await until('a pod', pods, (seen) => seen.length === 1)
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-pod-'))
  const probes = await freePort()
  const flags = [
    ...['--metrics-bind-address=0', `--health-probe-bind-address=127.0.0.1:${probes}`],
    `--results-path=${folder}`,
  ]
  const program = await startDeployed(run, api, { ...place, pod: pod.replace('pod/', ''), flags })
  const end = async () => {
    await program[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const probed = async () => ({
      status: await fetch(`http://127.0.0.1:${probes}/readyz`).then(
        (answer) => answer.status,
        () => 0, // not listening yet
      ),
      log: await program.log(),
    })
    await until('the program of the pod to be ready', probed, ({ status }) => status === 200)
    const patch = ['--subresource=status', '--type=merge', '--patch', READY]
    const said = await run('kubectl', ['patch', pod, '-n', namespace, ...patch])
    if (said.exitCode !== 0) throw new Error(said.stderr)
    return { log: program.log, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}

const READY = JSON.stringify({
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
})
