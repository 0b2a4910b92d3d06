import { createAuthority, createKey, issueCertificate } from '#base/x509.ts'
import { median } from '#test/bench/median.ts'
import type { Measurement, Row } from '#test/bench/row.ts'
import { startSubject } from '#test/bench/subject.ts'
import type { TalosClientSubject } from '#test/bench/subjects/talos-client.ts'
import type { TalosMachines } from '#test/bench/subjects/talos-machines.ts'
import { shown } from '#test/bench/table.ts'

const MACHINES = 64
const AT_ONCE = 16
const SECONDS = 2
const ROUNDS = 5

/** How many calls our client makes over connections that it keeps. */
export const talosCalls: Row = {
  name: 'talos-calls',
  budget: 2_000,
  unit: 'calls/s',
  better: 'more',
  measure: () => measured(MACHINES, 'Version over mutual TLS on kept connections'),
}

/** How many machines it can dial, ask one thing, and hang up on. */
export const talosDials: Row = {
  name: 'talos-dials',
  budget: 200,
  unit: 'dials/s',
  better: 'more',
  measure: () =>
    measured(MACHINES / 2, 'a TLS handshake with both certificates and Version, each time'),
}

async function measured(connections: number, what: string): Promise<Measurement> {
  await using machines = await startSubject<TalosMachines>('talos-machines')
  await using client = await startSubject<TalosClientSubject>('talos-client')
  const addresses = Array.from({ length: MACHINES }, (_, index) => `127.0.3.${index + 1}`)
  const cluster = clusterOf(addresses)
  const { authority } = cluster
  const port = await machines.ask('listen', { authority, ...cluster.server })
  const round = { authority, ...cluster.client, port, addresses, connections }
  const rates: number[] = []
  for (let turn = 0; turn <= ROUNDS; turn++) {
    rates.push(await client.ask('round', { ...round, atOnce: AT_ONCE, seconds: SECONDS }))
  }
  const counted = rates.slice(1)
  return {
    value: median(counted),
    detail: [
      what,
      `${MACHINES} addresses in another process, ${connections} connections kept, ${AT_ONCE} at once`,
      `median of ${ROUNDS} rounds of ${SECONDS} s after one that does not count, ${shown(Math.min(...counted))} to ${shown(Math.max(...counted))}`,
    ].join('; '),
  }
}

function clusterOf(hosts: string[]) {
  const validity = {
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  }
  const authority = createAuthority({ organizations: ['talos'] }, createKey(), validity)
  const pem = (usage: 'client' | 'server') => {
    const issued = issueCertificate(authority, {
      usage,
      validity,
      ...(usage === 'server' ? { hosts } : { organizations: ['os:admin'] }),
    })
    return { certificate: issued.certificate, key: issued.key.open() }
  }
  return { authority: authority.certificate, server: pem('server'), client: pem('client') }
}
