import { Secret } from '#api/foreign.ts'
import {
  type Call,
  isMachineChange,
  type KubernetesCall,
  type MachineCall,
  wordsFor,
} from './boundary.ts'
import { brokenDisruption, outOfTurn, tooManyDown } from './invariants-of-disruption.ts'
import { undrained } from './invariants-of-drains.ts'
import { brokenEtcd } from './invariants-of-etcd.ts'
import { brokenKubernetes } from './invariants-of-kubernetes.ts'
import { brokenUpgrade } from './invariants-of-upgrades.ts'

// Somebody who asks for it at this moment cannot be heard before what is under way is done.
const HEARD_AFTER_MS = 10_000
const SECRETS = /-secrets$/

/** What does not hold of what the operator did, in sentences; whatever the machines and objects say of it. */
export function brokenByCalls(history: readonly Call[]): string[] {
  const changes = history.filter(isMachineChange)
  const configured = changes.filter(({ method }) => method === 'configuration.apply')
  return [
    ...secretsMadeTwice(history),
    ...changes.filter(({ method }) => method !== 'reset').flatMap(notInAnySpec),
    ...changes.flatMap(notToBeTouched),
    ...changes.flatMap((call) => brokenEtcd(call, history)),
    ...changes.flatMap(brokenDisruption),
    ...changes.flatMap((call) => brokenKubernetes(call, history)),
    ...changes.flatMap((call) => tooManyDown(call, history)),
    ...changes.flatMap((call) => brokenUpgrade(call, history)),
    ...changes.flatMap(undrained),
    ...changes.filter(({ method }) => method === 'reset').flatMap(resetOfAnother),
    ...configured.flatMap(configuredOther),
    ...configured.flatMap((call) => untried(call, history)),
    ...configured.flatMap(rejected),
    ...configured.flatMap((call, at) => twoForOne(call, configured.slice(0, at))),
  ]
}

/** Machines that have the first ones would never be reached with the second. */
function secretsMadeTwice(history: readonly Call[]): string[] {
  const isMade = (call: Call): call is KubernetesCall =>
    call.to === 'kubernetes' && call.method === 'POST' && call.kind === Secret.plural
  const made = history
    .filter(isMade)
    .filter(({ name, status }) => SECRETS.test(name) && status !== undefined && status < 300)
  // The same ones may be put back where somebody took them away.
  const bundlesOf = (secret: string) =>
    new Set(made.filter(({ name }) => name === secret).map(({ digest }) => digest)).size
  return [...new Set(made.map(({ name }) => name))]
    .map((name) => ({ name, times: bundlesOf(name) }))
    .filter(({ times }) => times > 1)
    .map(({ name, times }) => `the secrets ${name} were made ${times} times`)
}

const notInAnySpec = (call: MachineCall): string[] =>
  call.claims.length > 0 ? [] : [`${wordsFor(call)}: the machine is claimed by nobody`]

const notToBeTouched = (call: MachineCall): string[] =>
  call.held && call.at.getTime() - call.held.since.getTime() > HEARD_AFTER_MS
    ? [`${wordsFor(call)}: the reconcile-mode of ${call.held.by} forbids it`]
    : []

function resetOfAnother(call: MachineCall): string[] {
  const staying = call.claims.filter(({ isLeaving }) => !isLeaving).map(({ name }) => name)
  if (staying.length > 0) return [`${wordsFor(call)}: the machine is that of ${staying.join(', ')}`]
  if (call.claims.some(({ isAsAdopted }) => isAsAdopted)) {
    return [`${wordsFor(call)}: the machine was imported, and never configured here`]
  }
  return call.claims.length > 0
    ? []
    : [`${wordsFor(call)}: no TalosMachine that is being deleted has this machine`]
}

/** An object stands for one machine as long as it is there: another one at its address is somebody else's. */
function twoForOne(call: MachineCall, before: readonly MachineCall[]): string[] {
  const own = call.claims.map(({ uid }) => uid)
  const isOther = ({ uuid, claims }: MachineCall) =>
    uuid !== call.uuid && claims.some(({ uid }) => uid !== undefined && own.includes(uid))
  const other = before.find(isOther)
  return other ? [`${wordsFor(call)}: its TalosMachine had the machine ${other.uuid} before`] : []
}

function configuredOther(call: MachineCall): string[] {
  const who = call.claims.map(({ name }) => name).join(', ')
  return [
    ...(call.stage === 'maintenance' ? [] : outOfTurn(call)),
    ...(call.claims.length < 2 ? [] : [`${wordsFor(call)}: the machine is claimed by ${who}`]),
  ]
}

function untried(call: MachineCall, history: readonly Call[]): string[] {
  const isTrial = (one: Call): boolean =>
    one.to === 'machine' &&
    one.isDryRun &&
    one.outcome === 'done' &&
    one.uuid === call.uuid &&
    one.digest === call.digest
  return history.slice(0, history.indexOf(call)).some(isTrial)
    ? []
    : [`${wordsFor(call)}: the machine took no dry run of it before`]
}

const rejected = (call: MachineCall): string[] =>
  call.refusal !== undefined && !call.isRefusing
    ? [`${wordsFor(call)}: the machine refused it: ${call.refusal}`]
    : []
