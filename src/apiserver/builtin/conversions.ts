import { eventConversion } from '#apiserver/kinds/event-conversion.ts'
import type { Resource } from '#apiserver/resource.ts'
import { scalerFromV2, scalerToV2 } from './scaler-conversion.ts'

type Kept = Pick<Resource, 'stored' | 'conversion'>

/** The resources that are another view on objects of another version, or another group. */
export const conversions: Readonly<Record<string, Kept>> = {
  'events.k8s.io/v1/events': {
    stored: { group: '', plural: 'events', version: 'v1' },
    conversion: eventConversion,
  },
  'autoscaling/v1/horizontalpodautoscalers': {
    stored: { group: 'autoscaling', plural: 'horizontalpodautoscalers', version: 'v2' },
    conversion: { toStored: scalerToV2, fromStored: scalerFromV2 },
  },
}
