import type { Metadata } from '@grpc/grpc-js'
import { Refusal } from '#simulator/refusal.ts'
import { METHODS } from '#simulator/services/methods.ts'
import type { Directory, Endpoint } from './endpoint.ts'
import { gather } from './gather.ts'
import { localAnswer, type Passing } from './local-answer.ts'
import { remoteAnswer } from './remote-answer.ts'

/** Answers a call that has arrived at a machine: itself, or by passing it on to those that it names. */
export function answerOrForward(
  here: Endpoint,
  call: Passing & { readonly metadata: Metadata },
  directory: Directory,
): AsyncIterable<Uint8Array> {
  const { machine } = here
  // A machine that waits for its configuration does not look at whom a call is for.
  const answersAll = machine.door === 'maintenance'
  const [node, nodes] = [valuesOf(call.metadata, 'node'), valuesOf(call.metadata, 'nodes')]
  if (answersAll || call.metadata.get('proxyfrom').length > 0) {
    return localAnswer(here, call, directory)
  }
  if (node.length > 1) {
    throw new Refusal('InvalidArgument', 'node metadata must be single-valued')
  }
  const canForward = machine.door === 'cluster' && machine.type === 'controlplane'
  const isHere = (targets: readonly string[]) =>
    !canForward && targets.length === 1 && isSelf(here, targets[0] ?? '')
  if (nodes.length > 0 && !isHere(nodes)) {
    allowMany(call.path)
    allowForwarding(canForward, nodes)
    return gather(call, { targets: nodes, isStreamed: isStreamed(call.path) }, (target, passing) =>
      remoteAnswer(here, { target, ...passing }, directory),
    )
  }
  if (node.length === 0 || isHere(node)) return localAnswer(here, call, directory)
  allowForwarding(canForward, node)
  return remoteAnswer(here, { ...call, target: node[0] ?? '' }, directory)
}

const isStreamed = (path: string): boolean => METHODS.get(path)?.isStreamed ?? false

const MANY = /^\/(machine\.MachineService|(cluster|inspect|storage|time)\.\w+Service)\//

function allowMany(path: string): void {
  if (MANY.test(path)) return
  throw new Refusal('InvalidArgument', `one-2-many proxying is not supported for method ${path}`)
}

function allowForwarding(canForward: boolean, targets: readonly string[]): void {
  if (!canForward) throw new Refusal('PermissionDenied', 'no request forwarding')
  const wrong = targets.find((target) => target === '' || hasPort(target))
  if (wrong !== undefined) throw new Refusal('Internal', `invalid target ${JSON.stringify(wrong)}`)
}

const hasPort = (target: string): boolean =>
  /^[^:]*:[^:]*$/.test(target) || /^\[.*\]:\d+$/.test(target)

const isSelf = ({ machine }: Endpoint, target: string): boolean =>
  target === machine.address || (target !== '' && target === machine.hostname)

const valuesOf = (metadata: Metadata, key: string): readonly string[] =>
  metadata
    .get(key)
    .flatMap((value) => String(value).split(','))
    .map((value) => value.trim())
