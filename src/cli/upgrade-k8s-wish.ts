import type { Duration } from '#base/duration.ts'
import { problem } from '#base/problem.ts'
import { parseVersion, versionText } from '#machineconfig/versions/version.ts'
import type { ManagementFlags } from './management-flags.ts'

/** What the command line says. */
export interface UpgradeFlags extends ManagementFlags {
  readonly to?: string
  readonly dryRun?: boolean
  readonly timeout: Duration
  readonly leaderElectionName: string
  readonly leaderElectionNamespace?: string
  readonly enableMetaKey?: boolean
}

/** Who is to be upgraded to what. */
export interface UpgradeWish {
  readonly name: string
  /** `v1.36.1`. */
  readonly to: string
  /** Left out: that of the context. */
  readonly namespace?: string
}

export interface Asked {
  readonly name: string | undefined
  readonly flags: Pick<UpgradeFlags, 'to' | 'namespace'>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What is asked for, by the command line before the environment. Throws a problem for people if something is missing. */
export function upgradeWish({ name, flags, env }: Asked): UpgradeWish {
  const namespace = flags.namespace || env.TCP_NAMESPACE
  return {
    name: name || env.TCP_NAME || missing('which TalosControlPlane', 'its name', 'TCP_NAME'),
    to: versionOf(
      flags.to || env.TARGET_VERSION || missing('which version', '--to', 'TARGET_VERSION'),
    ),
    ...(namespace && { namespace }),
  }
}

function missing(what: string, flag: string, variable: string): never {
  throw problem({
    what: `it is not said ${what} is meant`,
    why: `neither ${flag} is given nor ${variable} set`,
    remedy: 'write for example: talos-operator upgrade-k8s demo --to v1.36.1 -n default',
  })
}

function versionOf(text: string): string {
  const version = /^v?\d+\.\d+\.\d+/.test(text) ? parseVersion(text) : undefined
  if (version) return `v${versionText(version)}`
  throw problem({
    what: `${JSON.stringify(text.slice(0, 50))} is no version of Kubernetes`,
    why: 'it takes all three numbers',
    remedy: 'write it as v1.36.1',
  })
}
