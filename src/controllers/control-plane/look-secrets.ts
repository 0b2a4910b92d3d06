import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import {
  type SecretsDecision,
  type SecretsEvidence,
  secretsDecision,
} from '#engine/cluster-secrets-decision.ts'
import { stateNameOf } from '#engine/cluster-secrets-published.ts'
import { liveObject } from '#engine/live-object.ts'
import type { Reader } from '#runtime/reader.ts'
import { isClaimed } from './machine-facts.ts'

interface Known {
  controlPlane: ControlPlane
  machines: readonly Machine[]
  /** The names of its pools. */
  workers: readonly string[]
  configText: string | undefined
}

interface SecretsSeen {
  decision: SecretsDecision
  /** What the secrets are kept in. */
  secret: SecretsEvidence['secret']
}

/** Asked of the server: what a cache does not show may be there all the same. */
export async function lookAtSecrets(known: Known, read: Reader): Promise<SecretsSeen> {
  const { controlPlane, machines, workers, configText } = known
  const secret = await read.fetch(Secret, secretsNameOf(controlPlane))
  // What is published is looked at only where there are no others.
  const stateSecret = secret ? undefined : await read.fetch(Secret, stateNameOf(controlPlane))
  const ofWorkers = read
    .list(Machine)
    .filter(({ spec }) => workers.includes(spec?.workerRef?.name ?? ''))
  const machinesAreClaimed = [...machines, ...ofWorkers].some(isClaimed)
  const evidence = { controlPlane, secret, stateSecret, configText, machinesAreClaimed }
  return { decision: await decisionOn(evidence, read), secret }
}

/** New ones are made only where the API, too, has no trace of others on the control plane itself. */
async function decisionOn(evidence: SecretsEvidence, read: Reader): Promise<SecretsDecision> {
  const decision = secretsDecision(evidence)
  if (decision.do !== 'create' || decision.from !== 'generated') return decision
  const { name } = evidence.controlPlane.metadata
  const controlPlane = await liveObject(ControlPlane, name, read)
  return controlPlane ? secretsDecision({ ...evidence, controlPlane }) : decision
}
