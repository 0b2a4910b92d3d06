// A machine whose place another one takes, so that what is meant for the one could reach the other.

import { create } from '@bufbuild/protobuf'
import type { Server } from '@grpc/grpc-js'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { AClient, type ACluster, AMachine } from '#talos/a-machine.cases.ts'
import { GetResponseSchema, State } from '#talos/generated/cosi/resource_pb.ts'
import {
  ApplyConfigurationResponseSchema,
  BootstrapResponseSchema,
  MachineService,
  MetaWriteResponseSchema,
  ResetResponseSchema,
} from '#talos/generated/machine/machine_pb.ts'
import { implement } from '#talos/grpc-definition.cases.ts'
import type { BoundMachine } from '#talos/machine.ts'
import { until } from '#test/until.ts'
import { lentBy } from './lent-machine.ts'

export const MEANT = '00000000-0000-4000-8000-00000000000a'
const STRANGER = '00000000-0000-4000-8000-00000000000b'

// Connections of others come from 127.0.0.1: one of them could have the port just when the other one is to take it.
const ADDRESS = '127.81.0.1'

/** What is done to a machine, besides asking it who it is. */
type Deed = 'try' | 'configure' | 'write meta' | 'reset' | 'begin'

export interface ChangingPlaces extends AsyncDisposable {
  machines: TalosMachines
  /** What was done to which of the two. */
  done: { meant: Deed[]; stranger: Deed[] }
  /** The other one takes the address when the one that is meant has said this often who it is. */
  swapAfterIdentity: number
  /** The one that is meant takes what is done to it, and dies before it says so. */
  diesOfDeed: boolean
  /** The other one takes the address now. Resolves when whoever dials reaches it. */
  swap(): Promise<void>
}

/** In maintenance mode, or two of one cluster. */
export async function changingPlaces(of?: ACluster): Promise<ChangingPlaces> {
  const client = new AClient()
  const access = of?.access ?? ({ kind: 'maintenance' } as const)
  const start = (uuid: string, onDeed: (deed: Deed) => boolean, port = 0) =>
    AMachine.start({
      ...(of && { of }),
      address: ADDRESS,
      port,
      serve: (on) => serve(on, uuid, onDeed),
    })
  const meant = await start(MEANT, (deed) => {
    places.done.meant.push(deed)
    if (places.diesOfDeed && deed !== 'try') meant.kill()
    return !places.diesOfDeed || deed === 'try'
  })
  let stranger: AMachine | undefined
  let identities = 0
  const unbound = () => client.machine(meant.target(access))
  const swapping = (same: BoundMachine): BoundMachine => {
    const systemInformation: typeof same.state.systemInformation = async (options) => {
      const answer = await same.state.systemInformation(options)
      identities += 1
      if (identities === places.swapAfterIdentity) await places.swap()
      return answer
    }
    return { ...same, state: { ...same.state, systemInformation } }
  }
  const places: ChangingPlaces = {
    machines: lentBy({ machine: (to) => client.machine(meant.target(to.access)) }, swapping),
    done: { meant: [], stranger: [] },
    swapAfterIdentity: 0,
    diesOfDeed: false,
    swap: async () => {
      meant.kill()
      const isTold = (deed: Deed) => places.done.stranger.push(deed) > 0
      stranger = await start(STRANGER, isTold, meant.port)
      await until(
        'the other one to be reached',
        () => uuidNow(unbound),
        (uuid) => uuid === STRANGER,
      )
    },
    [Symbol.asyncDispose]: async () => {
      client.close()
      for (const machine of [meant, stranger]) machine?.kill()
    },
  }
  return places
}

const uuidNow = (machine: () => { state: BoundMachine['state'] }): Promise<string | undefined> =>
  machine()
    .state.systemInformation()
    .then(
      (found) => found?.uuid,
      () => undefined,
    )

/** A machine with this UUID. What is done to it is told; it answers if it is told to. */
function serve(on: Server, uuid: string, onDeed: (deed: Deed) => boolean): void {
  const answer = <Answer>(
    deed: Deed,
    done: (error: null, value: Answer) => void,
    value: Answer,
  ) => {
    if (onDeed(deed)) done(null, value)
  }
  const information = create(GetResponseSchema, {
    resource: {
      metadata: { id: 'systeminformation', version: '1', phase: 'running' },
      spec: { yamlSpec: `uuid: ${uuid}\n` },
    },
  })
  const whole = { messages: [{}] }
  implement(on, State, { get: (_call, done) => done(null, information) })
  implement(on, MachineService, {
    applyConfiguration: ({ request }, done) =>
      answer(
        request.dryRun ? 'try' : 'configure',
        done,
        create(ApplyConfigurationResponseSchema, whole),
      ),
    metaWrite: (_call, done) => answer('write meta', done, create(MetaWriteResponseSchema, whole)),
    reset: (_call, done) => answer('reset', done, create(ResetResponseSchema, whole)),
    bootstrap: (_call, done) => answer('begin', done, create(BootstrapResponseSchema, whole)),
  })
}
