// The calls of our own client.

import { ConfigMap } from '#api/foreign.ts'
import { answerQuestions } from './answering.ts'
import { roundsOf } from './calls.ts'
import { clientFor } from './client.ts'

const namespace = 'default'
// As good as none: what is measured is the client, and not how long it is told to wait.
const limit = { perSecond: 1e6, burst: 1e6, atOnce: 1_000 }

const answers = roundsOf(async (kubeconfig) => {
  const client = await clientFor(kubeconfig, { limit })
  return {
    read: (name) => client.get(ConfigMap, { namespace, name }),
    apply: (name, content) =>
      client.apply(
        ConfigMap,
        { metadata: { namespace, name }, data: content },
        { fieldManager: 'bench' },
      ),
  }
})

export type OurCalls = typeof answers

answerQuestions(answers)
