import { Secret } from '#base/secret.ts'
import type { Caller, CallOptions } from '#talos/caller.ts'
import { durationOf } from '#talos/duration-message.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { onlyMessage } from './only-message.ts'

/** What somebody needs to talk to the machines of a cluster. PEM, but for the last. */
export interface ClientConfiguration {
  authority: string
  certificate: string
  key: Secret<string>
  talosconfig: Secret<string>
}

/** Credentials that a control plane machine makes. */
export const clientConfigurationCalls = (caller: Caller) => ({
  async generateClientConfiguration(
    { roles, lifetimeMs }: { roles: readonly string[]; lifetimeMs: number },
    options?: CallOptions,
  ): Promise<ClientConfiguration> {
    const method = MachineService.method.generateClientConfiguration
    const what = 'make a client certificate on'
    const answer = await caller.ask(
      { method, what, pace: 'change', options },
      { roles: [...roles], crtTtl: durationOf(lifetimeMs) },
    )
    const { ca, crt, key, talosconfig } = onlyMessage(caller, answer)
    return {
      authority: textOf(ca),
      certificate: textOf(crt),
      key: new Secret(textOf(key)),
      talosconfig: new Secret(textOf(talosconfig)),
    }
  },
})

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
