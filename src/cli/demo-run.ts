import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import { aborted, onAbort } from '#base/on-abort.ts'
import { toYaml } from '#base/yaml.ts'
import { conditionsIn } from '#runtime/conditions.ts'
import { type CredentialFile, credentialOf } from './credential-of.ts'
import type { DemoSize } from './demo-addresses.ts'
import { closingWords, slowWords } from './demo-closing.ts'
import { DEMO } from './demo-cluster.ts'
import { startDemoFleet } from './demo-fleet.ts'
import { type DemoFolder, demoFolder } from './demo-folder.ts'
import { type Management, openManagement } from './demo-management.ts'
import { startDemoOperator } from './demo-operator.ts'
import { type DemoScreen, showProgress, tellNews } from './demo-progress.ts'
import { startDemoProvider } from './demo-provider.ts'
import { type DemoManifest, type DemoSubject, shortNamesOf, subjectOf } from './demo-subject.ts'
import { writeKeyFile } from './key-file.ts'
import type { Output } from './output.ts'
import { ownCommand } from './own-command.ts'
import { stopSignal } from './stop-signal.ts'

/** What the command line says. */
export interface DemoFlags extends DemoSize {
  readonly addressBase?: string
  readonly speed: number
  readonly kubernetesCluster?: boolean
}

const SLOW_MS = 60_000

/** Brings up a cluster on pretend machines, shows how, and stays up until it is told to stop. */
export async function runDemo(flags: DemoFlags, output: Output): Promise<void> {
  const screen = screenOf(output)
  const subject = subjectOf(flags)
  // A terminal that is closed would otherwise leave the folder behind.
  using stop = stopSignal(systemClock, 'SIGHUP')
  using folder = demoFolder()
  output.out(`The demo is in ${folder.path} until it ends.\n\n`)
  try {
    const { writeLog } = folder
    const { isOrdered } = subject
    await using fleet = await startDemoFleet({ ...flags, isOrdered, writeLog })
    const cluster = subject.manifest(fleet.places, flags)
    await using operator = await startDemoOperator(folder, stop.signal)
    const { kubeconfig, signal, ended } = operator
    await using management = await openManagement(kubeconfig, subject.shown, signal)
    const { client } = management
    await using _provider = isOrdered ? startDemoProvider({ fleet, client, writeLog }) : undefined
    const machines = flags.controlPlanes + flags.workers
    const shown = { management, subject, cluster, machines }
    await show({ ...shown, folder, kubeconfig, output, screen, signal })
    if (!stop.signal.aborted) await ended
  } catch (error) {
    // Whatever was under way when it was told to stop, it is not worth a complaint.
    if (!stop.signal.aborted) throw error
  }
}

interface Stage {
  readonly management: Management
  readonly subject: DemoSubject
  readonly cluster: DemoManifest
  /** How many there are to be. */
  readonly machines: number
  readonly folder: DemoFolder
  /** Of the management API. */
  readonly kubeconfig: string
  readonly output: Output
  readonly screen: DemoScreen
  readonly signal: AbortSignal
}

/** Hands in the cluster, and shows what becomes of it until the signal aborts. */
async function show(stage: Stage): Promise<void> {
  const { management, subject, cluster, screen, output, signal, folder } = stage
  const { progress, client } = management
  const manifest = join(folder.path, `${DEMO.name}.yaml`)
  await writeFile(manifest, toYaml(cluster))
  {
    using _shown = showProgress(progress, screen)
    using _slow = complainLater(stage)
    const options = { fieldManager: 'talos-operator-demo', signal }
    await client.create<ApiKind>(subject.kind, cluster, options)
    await whenReady(stage)
  }
  const [own, talosconfig] = await Promise.all([
    keep(stage, 'kubeconfig'),
    keep(stage, 'talosconfig'),
  ])
  output.out(
    closingWords({
      command: ownCommand({
        ...{ file: process.argv[1], folder: process.cwd(), path: process.env.PATH },
      }),
      shortName: subject.kind.shortNames[0] ?? subject.kind.plural,
      shortNames: shortNamesOf(subject),
      seconds: (systemClock.monotonicMs() - screen.startMs) / 1_000,
      management: stage.kubeconfig,
      kubeconfig: own,
      log: folder.logPath,
      ...{ talosconfig, manifest },
    }),
  )
  using _told = tellNews(progress, screen)
  await aborted(signal)
}

/** Whether all of it is there: a KubernetesCluster is ready as soon as its machines are, before they are a cluster. */
function isUp({ management: { progress }, machines }: Stage): boolean {
  const objects = progress.objects()
  const ofTalos = objects.filter(({ what }) => what.startsWith(`${Machine.kind} `))
  return ofTalos.length === machines && objects.every(({ isReady }) => isReady)
}

/** Resolves when the cluster is ready. Rejects with the signal's reason if it aborts first. */
const whenReady = (stage: Stage): Promise<void> =>
  new Promise((resolve, reject) => {
    const { management, signal } = stage
    const look = () => {
      if (!isUp(stage)) return
      cancel()
      unlink()
      resolve()
    }
    const cancel = management.progress.onChange(look)
    const unlink = onAbort(signal, () => {
      cancel()
      reject(signal.reason)
    })
    look()
  })

/** Says so, once, if it takes longer than anybody should have to wait. */
function complainLater({ management, subject, output, folder }: Stage): Disposable {
  const complain = async () => {
    const cluster = await management.client.find<ApiKind>(subject.kind, DEMO)
    const ready = conditionsIn(cluster?.status).find(({ type }) => type === 'Ready')
    const why = ready?.message ?? 'the operator has not looked at it yet'
    output.err(slowWords(SLOW_MS / 1_000, why, folder.logPath))
  }
  const cancel = systemClock.after(SLOW_MS, () => void complain().catch(() => undefined))
  return { [Symbol.dispose]: cancel }
}

/** Keeps a file of the cluster in the folder, and says where. */
async function keep({ management, folder }: Stage, file: CredentialFile): Promise<string> {
  const text = await credentialOf(management.client, { ...DEMO, file })
  const path = join(folder.path, `${DEMO.name}.${file}`)
  await writeKeyFile({ path, text: text.open(), force: true })
  return path
}

const screenOf = ({ out }: Output): DemoScreen => ({
  write: out,
  clock: systemClock,
  startMs: systemClock.monotonicMs(),
  rows: () => (process.stdout.isTTY ? process.stdout.rows : undefined),
  columns: () => process.stdout.columns,
})
