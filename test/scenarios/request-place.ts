import type { CarriedRequest } from '#kube/access.ts'

export const isWatch = ({ url }: Pick<CarriedRequest, 'url'>): boolean =>
  /[?&]watch=(true|1)/.test(url.search)

/** What a request is about: `talosmachines/status` of `one-1`; no name where it is about all of them. */
export function placeIn(url: URL): { kind: string; name: string | undefined } {
  // `/apis/group/version/namespaces/one/plural/name/status`, or one without a group or a namespace.
  const path = url.pathname.replace(/^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)\//, '')
  const [plural = '', name, subresource] = path.replace(/^namespaces\/[^/]+\//, '').split('/')
  return { kind: subresource ? `${plural}/${subresource}` : plural, name }
}
