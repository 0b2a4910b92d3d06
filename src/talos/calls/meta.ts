import type { Caller, CallOptions } from '#talos/caller.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { status } from '#talos/status.ts'
import { onlyMessage } from './only-message.ts'

/** What a machine keeps outside of its configuration, under numbers from 0 to 255. Read as resources. */
export const metaCalls = (caller: Caller) => ({
  async write(key: number, value: Uint8Array, options?: CallOptions): Promise<void> {
    const method = MachineService.method.metaWrite
    const what = `write the META key ${key} of`
    onlyMessage(caller, await caller.ask({ method, what, pace: 'change', options }, { key, value }))
  },

  /** `already-done`: there is none. */
  async delete(key: number, options?: CallOptions): Promise<void> {
    const answer = await caller.ask(
      {
        method: MachineService.method.metaDelete,
        what: `delete the META key ${key} of`,
        pace: 'change',
        alreadyDone: [status.NOT_FOUND],
        options,
      },
      { key },
    )
    onlyMessage(caller, answer)
  },
})
