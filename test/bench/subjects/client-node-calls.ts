// The calls of @kubernetes/client-node, used as its documentation shows, with its own settings.

import { CoreV1Api, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node'
import { answerQuestions } from './answering.ts'
import { roundsOf } from './calls.ts'

const namespace = 'default'

const answers = roundsOf(async (kubeconfig) => {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const api = config.makeApiClient(CoreV1Api)
  const asApply = setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply)
  return {
    read: (name) => api.readNamespacedConfigMap({ name, namespace }),
    apply: (name, content) =>
      api.patchNamespacedConfigMap(
        {
          name,
          namespace,
          fieldManager: 'bench',
          body: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name, namespace },
            data: content,
          },
        },
        asApply,
      ),
  }
})

export type ClientNodeCalls = typeof answers

answerQuestions(answers)
