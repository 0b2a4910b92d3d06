import { addressingRules } from './addressing.ts'
import { bgpRules } from './bgp.ts'
import { containerRules } from './container.ts'
import { firewallRules } from './firewall.ts'
import { hostRules } from './host.ts'
import { imageVerificationRules } from './image-verification.ts'
import type { KindRules } from './kind-rules.ts'
import { kubernetesRules } from './kubernetes.ts'
import { laterRules } from './later.ts'
import { laterKubernetesRules } from './later-kubernetes.ts'
import { linkRules } from './links.ts'
import { probeRules } from './probes.ts'
import { registryRules } from './registries.ts'
import { resolverRules } from './resolver.ts'
import { runtimeRules } from './runtime.ts'
import { volumeRules } from './volumes.ts'

const BY_KIND: ReadonlyMap<string, KindRules> = new Map(
  [
    addressingRules,
    bgpRules,
    containerRules,
    firewallRules,
    hostRules,
    imageVerificationRules,
    kubernetesRules,
    laterKubernetesRules,
    laterRules,
    linkRules,
    probeRules,
    registryRules,
    resolverRules,
    runtimeRules,
    volumeRules,
  ].flatMap((rules) => Object.entries(rules)),
)

/** What Talos demands of documents of that kind; of some it demands nothing. */
export const rulesOf = (kind: string): KindRules => BY_KIND.get(kind) ?? {}
