import type { Send } from '#test/conformance/kubernetes/https-json.ts'
import { until } from '#test/until.ts'
import { definition, things } from './custom-objects.ts'

/** Defines the kind of histories that is not built in, and waits until it is served. */
export async function installThings(send: Send): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const { status, body } = await send({ method: 'POST', path, body: definition })
  if (status !== 201) throw new Error(JSON.stringify(body))
  for (const version of things.versions) {
    const look = () => send({ method: 'GET', path: `/apis/${version}/${things.plural}` })
    await until(`${things.plural} of ${version}`, look, (answer) => answer.status === 200)
  }
}
