import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { itemsOf, partOf } from './fill.ts'
import { amountOf } from './quantity.ts'

/** How well a pod is treated when a node runs short, which follows from what it asks for. */
export function qosClassOf(spec: Fields): string {
  const resources =
    partOf(spec, 'resources') === undefined
      ? [...itemsOf(spec, 'containers'), ...itemsOf(spec, 'initContainers')].map((container) =>
          fieldsAt(container, 'resources'),
        )
      : [fieldsAt(spec, 'resources')]
  if (!resources.some(asksForAnything)) return 'BestEffort'
  return resources.every(isExact) ? 'Guaranteed' : 'Burstable'
}

const counted = ['cpu', 'memory']

const asksForAnything = (resources: Fields): boolean =>
  ['limits', 'requests'].some((key) =>
    counted.some((name) => amountOf(fieldsAt(resources, key)[name]) > 0),
  )

function isExact(resources: Fields): boolean {
  const [limits, requests] = [fieldsAt(resources, 'limits'), fieldsAt(resources, 'requests')]
  return counted.every((name) => {
    const limit = amountOf(limits[name])
    return limit > 0 && (requests[name] === undefined || amountOf(requests[name]) === limit)
  })
}
