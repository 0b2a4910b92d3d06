import type { RestServer } from '#apiserver/rest/server.ts'
import { systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'
import { kubeApiServerCertificate } from '#machineconfig/secrets/machine-certificates.ts'
import type { ClusterFacts, ControlPlaneFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'
import { addressAt } from '#simulator/kubernetes/nodes/pod-ranges.ts'
import { type ApiDoor, type OpenApiDoor, openApiDoor } from './api-door.ts'

interface ApiDoorsOptions {
  facts: ClusterFacts
  port: number
  log: Log
  /** Left out: they listen, over TLS. */
  openDoor?: OpenApiDoor
}

interface Opened {
  door: ApiDoor
  rest: RestServer
  /** By which names it is known. */
  hosts: string
}

/** The addresses at which the API servers of a cluster answer. */
export class ApiDoors {
  readonly #options: ApiDoorsOptions
  readonly #open = new Map<string, Opened>()

  constructor(options: ApiDoorsOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#open.size > 0
  }

  portAt(address: string): number | undefined {
    return this.#open.get(address)?.door.port
  }

  /** Opens the doors that these control planes have, and shuts all others. An address that cannot be had is told to the log. */
  async serve(rest: RestServer, controlPlanes: readonly ControlPlaneFacts[]): Promise<void> {
    const wanted = hostsByAddress(this.#options.facts, controlPlanes)
    for (const [address, { rest: served, hosts }] of [...this.#open]) {
      const isSame = served === rest && wanted.get(address)?.join(' ') === hosts
      if (!isSame) await this.#shut(address)
    }
    for (const [address, hosts] of wanted) {
      if (!this.#open.has(address)) await this.#openAt(address, { rest, hosts })
    }
  }

  async shutAll(): Promise<void> {
    for (const address of [...this.#open.keys()]) await this.#shut(address)
  }

  async #shut(address: string): Promise<void> {
    const opened = this.#open.get(address)
    this.#open.delete(address)
    await opened?.door[Symbol.asyncDispose]()
  }

  async #openAt(
    address: string,
    { rest, hosts }: { rest: RestServer; hosts: readonly string[] },
  ): Promise<void> {
    const { facts, port, log, openDoor = openApiDoor } = this.#options
    const { kubernetes } = facts.secrets
    try {
      const door = await openDoor({
        ...{ rest, log, address: { host: address, port }, authority: kubernetes.certificate },
        // Clients judge it by the time of this machine, whatever the fleet's is.
        identity: () => kubeApiServerCertificate({ ca: kubernetes, now: systemClock.now(), hosts }),
      })
      this.#open.set(address, { door, rest, hosts: hosts.join(' ') })
    } catch (error) {
      log.error('the Kubernetes API cannot listen', { address, port, error: messageOf(error) })
    }
  }
}

/** Each address, and the names in its certificate. The first who has an address serves it. */
function hostsByAddress(
  facts: ClusterFacts,
  controlPlanes: readonly ControlPlaneFacts[],
): Map<string, string[]> {
  const wanted = new Map<string, string[]>()
  for (const one of controlPlanes) {
    const addresses = [one.address, ...one.furtherAddresses]
    const hosts = [...new Set([...addresses, ...one.certSans, ...everywhere(facts)])]
    for (const address of addresses) if (!wanted.has(address)) wanted.set(address, hosts)
  }
  return wanted
}

function everywhere({ endpoint, dnsDomain, serviceSubnets }: ClusterFacts): string[] {
  const own = URL.canParse(endpoint) ? [new URL(endpoint).hostname.replace(/^\[|\]$/g, '')] : []
  return [
    ...own,
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    `kubernetes.default.svc.${dnsDomain}`,
    'localhost',
    '127.0.0.1',
    ...serviceSubnets.flatMap((subnet) => addressAt(subnet, 1) ?? []),
  ]
}
