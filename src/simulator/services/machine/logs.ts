import type { MachineEvent } from '#simulator/machine/event-log.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { createQueue } from '#simulator/services/queue.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { podContainers } from './containers.ts'
import { eventLine } from './event-line.ts'

/** What the services of a machine, and its kernel, have said: what its history tells about them. */
export const logs: Answers<typeof MachineService> = {
  logs: async function* ({ namespace, id, tailLines, follow }, { machine, signal }) {
    const isService = namespace === 'system' || id === 'kubelet'
    if (!isService && !podContainers(machine).some((container) => isNamed(container.id, id))) {
      throw new Refusal('Unknown', `container ${JSON.stringify(id)} not found`)
    }
    const line = (event: MachineEvent) => (isOf(event, id) ? [serviceLine(event)] : [])
    const lines = isService ? serviceLines(machine, id) : []
    const shown = tailLines >= 0 ? lines.slice(lines.length - tailLines) : lines
    yield* shown.map(text)
    if (follow) yield* followed(machine, line, signal)
  },
  logsContainers: (_, { machine }) => ({
    messages: [{ ids: machine.services.map(({ id }) => id).sort() }],
  }),
  dmesg: async function* ({ follow, tail }, { machine, signal }) {
    const line = (event: MachineEvent) => [kernelLine(event)]
    if (!tail) yield* machine.events.kept.flatMap(line).map(text)
    if (follow) yield* followed(machine, line, signal)
  },
}

async function* followed(
  machine: Machine,
  line: (event: MachineEvent) => readonly string[],
  signal: AbortSignal,
) {
  const queue = createQueue<MachineEvent>()
  const cancel = machine.events.onEvent(queue.push)
  try {
    for await (const some of queue.read(signal)) yield* some.flatMap(line).map(text)
  } finally {
    cancel()
  }
}

const text = (line: string) => ({ bytes: new TextEncoder().encode(`${line}\n`) })

const serviceLines = (machine: Machine, id: string): readonly string[] =>
  machine.services
    .filter((service) => service.id === id)
    .flatMap(({ events }) =>
      events.map(({ atMs, phase, message }) => `${timeOf(atMs)} [${phase}] ${message}`),
    )

const timeOf = (ms: number): string => new Date(ms).toISOString()

// The last part, which is another for each container, may be left out.
const isNamed = (id: string, name: string): boolean =>
  id === name || (name.includes(':') && id.startsWith(`${name}:`))

const isOf = ({ payload }: MachineEvent, id: string): boolean =>
  payload.type === 'ServiceStateEvent' && payload.service === id

const serviceLine = (event: MachineEvent): string =>
  `${timeOf(event.atMs)} ${eventLine(event.payload)}`

const kernelLine = ({ atMs, payload }: MachineEvent): string =>
  `user: warning: [${timeOf(atMs)}]: [talos] ${eventLine(payload)}`
