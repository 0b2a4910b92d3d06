import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Refusal } from '#simulator/refusal.ts'
import { TimeService } from '#talos/generated/time/time_pb.ts'
import type { Call } from './call.ts'
import { served } from './served-method.ts'
import { fieldOf } from './system-disk.ts'

const DEFAULT_SERVER = 'time.cloudflare.com'

/** The clock of a machine, and how far it is from the right time. */
export const timeCalls = served(TimeService, {
  time: (_, call) => {
    const servers = fieldOf(
      call.machine.resources.get('network', 'TimeServerStatuses.net.talos.dev', 'timeservers')
        ?.spec,
      'timeServers',
    )
    const [first] = Array.isArray(servers) ? servers : []
    return compared(call, typeof first === 'string' ? first : DEFAULT_SERVER)
  },
  timeCheck: ({ server }, call) => {
    if (server === '') throw new Refusal('InvalidArgument', 'ntp server is required')
    return compared(call, server)
  },
})

function compared({ clock, machine }: Call, server: string) {
  const now = clock.now()
  const localtime = timestampFromDate(new Date(now.getTime() + machine.clockSkewMs))
  return { messages: [{ server, localtime, remotetime: timestampFromDate(now) }] }
}
