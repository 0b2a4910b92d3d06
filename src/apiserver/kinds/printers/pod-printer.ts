import { itemsOf, partOf } from '#apiserver/kinds/fill.ts'
import { ageOf } from '#apiserver/metadata/age.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import type { Printer } from '#apiserver/resource.ts'
import { ageCell, type Cell, nameCell, tableOf, textIn } from './table.ts'

/** What the statuses of a pod's containers come to. */
interface Tally {
  reason: string
  ready: number
  restarts: number
  lastRestart: string
}

const tallied = (
  name: string,
  about: string,
  show: (tally: Tally, object: Fields, now: Date) => string,
): Cell => ({ name, about, value: (object, now) => show(tallyOf(object), object, now) })

const wideText = (name: string, about: string, ...path: readonly string[]): Cell => ({
  name,
  about,
  wide: true,
  value: (object) => textIn(object, path, '<none>'),
})

/** Pods, with what `kubectl get pods` is most often asked for: what is wrong with them. */
export const podPrinter: Printer = tableOf(
  nameCell,
  tallied('Ready', 'Containers that are ready, of all.', ({ ready }, object) => {
    const spec = fieldsAt(object, 'spec')
    const lasting = itemsOf(spec, 'initContainers').filter(keepsRunning)
    return `${ready}/${itemsOf(spec, 'containers').length + lasting.length}`
  }),
  tallied('Status', 'What the pod is doing.', ({ reason }, object) => endingOf(object) ?? reason),
  tallied('Restarts', 'How often containers were restarted.', (tally, _object, now) =>
    tally.restarts > 0 && tally.lastRestart
      ? `${tally.restarts} (${ageOf(tally.lastRestart, now)} ago)`
      : String(tally.restarts),
  ),
  ageCell,
  {
    name: 'IP',
    about: 'Address of the pod.',
    wide: true,
    value: (object) => {
      const [first] = itemsOf(fieldsAt(object, 'status'), 'podIPs')
      return (first && textAt(first, 'ip')) ?? '<none>'
    },
  },
  wideText('Node', 'Where the pod runs.', 'spec', 'nodeName'),
  wideText('Nominated Node', 'Where it is to run.', 'status', 'nominatedNodeName'),
  {
    name: 'Readiness Gates',
    about: 'Further conditions that are met, of all.',
    wide: true,
    value: gatesOf,
  },
)

function tallyOf(object: Fields): Tally {
  const status = fieldsAt(object, 'status')
  const first: Tally = {
    reason: gateReason(status) ?? textAt(status, 'reason') ?? textAt(status, 'phase') ?? '',
    ready: 0,
    restarts: 0,
    lastRestart: '',
  }
  const { all, lasting, isStarting } = tallyStart(object, first)
  if (isStarting && conditionOf(status, 'Initialized') !== 'True') return all
  return tallyRun(status, { ...lasting, reason: all.reason, ready: all.ready })
}

const gateReason = (status: Fields): string | undefined =>
  itemsOf(status, 'conditions').some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  )
    ? 'SchedulingGated'
    : undefined

const keepsRunning = (container: Fields | undefined): boolean =>
  container?.restartPolicy === 'Always'

/** Containers that run before the others, or beside them: the first that is not done decides. */
function tallyStart(object: Fields, first: Tally) {
  const specs = itemsOf(fieldsAt(object, 'spec'), 'initContainers')
  let all = first
  let lasting = first
  for (const [index, one] of itemsOf(
    fieldsAt(object, 'status'),
    'initContainerStatuses',
  ).entries()) {
    const isLasting = keepsRunning(specs.find(({ name }) => name === one.name))
    all = withRestarts(all, one)
    if (isLasting) lasting = withRestarts(lasting, one)
    if (terminatedOf(one)?.exitCode === 0) continue
    if (isLasting && one.started === true) {
      if (one.ready === true) all = { ...all, ready: all.ready + 1 }
      continue
    }
    const reason = startReason(one) ?? `Init:${index}/${specs.length}`
    return { all: { ...all, reason }, lasting, isStarting: true }
  }
  return { all, lasting, isStarting: false }
}

function startReason(status: Fields): string | undefined {
  const terminated = terminatedOf(status)
  if (terminated) return `Init:${endReason(terminated)}`
  const waiting = textAt(fieldsAt(fieldsAt(status, 'state'), 'waiting'), 'reason')
  return waiting && waiting !== 'PodInitializing' ? `Init:${waiting}` : undefined
}

const terminatedOf = (status: Fields): Fields | undefined =>
  partOf(fieldsAt(status, 'state'), 'terminated')

function endReason(terminated: Fields): string {
  const reason = textAt(terminated, 'reason')
  if (reason) return reason
  return terminated.signal
    ? `Signal:${String(terminated.signal)}`
    : `ExitCode:${String(terminated.exitCode ?? 0)}`
}

function withRestarts(tally: Tally, status: Fields): Tally {
  const ended = textAt(fieldsAt(fieldsAt(status, 'lastState'), 'terminated'), 'finishedAt') ?? ''
  return {
    ...tally,
    restarts: tally.restarts + Number(status.restartCount ?? 0),
    lastRestart: ended > tally.lastRestart ? ended : tally.lastRestart,
  }
}

function tallyRun(status: Fields, start: Tally): Tally {
  let tally = start
  let failure = ''
  let isRunning = false
  for (const one of itemsOf(status, 'containerStatuses').toReversed()) {
    tally = withRestarts(tally, one)
    const state = fieldsAt(one, 'state')
    const waiting = textAt(fieldsAt(state, 'waiting'), 'reason')
    const terminated = terminatedOf(one)
    if (waiting) tally.reason = waiting
    else if (terminated) {
      tally.reason = endReason(terminated)
      if (terminated.exitCode) failure = tally.reason
    } else if (one.ready === true && partOf(state, 'running')) {
      isRunning = true
      tally.ready += 1
    }
  }
  return tally.reason === 'Completed'
    ? { ...tally, reason: doneReason(status, failure, isRunning) }
    : tally
}

function doneReason(status: Fields, failure: string, isRunning: boolean): string {
  if (isRunning && conditionOf(status, 'Ready') === 'True') return 'Running'
  if (failure) return failure
  return isRunning ? 'NotReady' : 'Completed'
}

const conditionOf = (status: Fields, type: string): unknown =>
  itemsOf(status, 'conditions').find((condition) => condition.type === type)?.status

function endingOf(object: Fields): string | undefined {
  if (!fieldsAt(object, 'metadata').deletionTimestamp) return undefined
  const { reason, phase } = fieldsAt(object, 'status')
  if (reason === 'NodeLost') return 'Unknown'
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating'
}

function gatesOf(object: Fields): string {
  const gates = itemsOf(fieldsAt(object, 'spec'), 'readinessGates')
  if (gates.length === 0) return '<none>'
  const status = fieldsAt(object, 'status')
  const met = gates.filter(
    ({ conditionType }) => conditionOf(status, String(conditionType)) === 'True',
  )
  return `${met.length}/${gates.length}`
}
