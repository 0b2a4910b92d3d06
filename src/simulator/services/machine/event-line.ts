import type { EventPayload } from '#simulator/machine/event-log.ts'

/** What happened, as a line of the machine's own log. */
export function eventLine(payload: EventPayload): string {
  switch (payload.type) {
    case 'SequenceEvent':
      return payload.error
        ? `${payload.sequence} sequence: ${payload.error.message}`
        : `${payload.sequence} sequence: ${doing(payload.action)}`
    case 'PhaseEvent':
      return `phase ${payload.phase}: ${doing(payload.action)}`
    case 'TaskEvent':
      return `task ${payload.task}: ${doing(payload.action)}`
    case 'ServiceStateEvent':
      return `service[${payload.service}](${payload.action}): ${payload.message}`
    case 'RestartEvent':
      return `restart (${payload.cmd})`
    case 'AddressEvent':
      return `this machine is reachable at: ${payload.addresses.join(', ')}`
    case 'MachineStatusEvent':
      return `machine is ${payload.stage}${payload.isReady ? ' and ready' : ''}`
    default:
      return payload.error
  }
}

const doing = (action: string): string => (action === 'START' ? 'starting' : 'done')
