import { badRequest, conflict, invalid, notFound } from '#apiserver/failure.ts'
import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt, timestampOf } from '#apiserver/objects.ts'
import type { Store } from '#apiserver/store/store.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import type { Clock } from '#base/clock.ts'
import type { AccountClaims, Reference } from './account-claims.ts'
import type { AccountName } from './account-name.ts'
import type { AccountTokens } from './account-tokens.ts'

interface TokenOffice {
  store: Store
  clock: Clock
  tokens: AccountTokens
}

const GROUP = 'authentication.k8s.io'
const KIND = 'TokenRequest'
const USUAL = 3600
const SHORTEST = 600
const LONGEST = 2 ** 32
const YEAR = 365 * 24 * 3600
/** What pods ask for. They get a year instead, because some programs never read the file again. */
const OF_PODS = 3607

/** Answers a TokenRequest for a service account, whose names come from the path. */
export function answerTokenRequest(
  account: AccountName,
  body: Fields,
  office: TokenOffice,
): Fields {
  const metadata = fieldsAt(body, 'metadata')
  refuseOtherNames(account, metadata)
  const found = read(office.store, 'serviceaccounts', account)
  const uid = textAt(found, 'uid') ?? ''
  refuseOtherUid(account, { wanted: textAt(metadata, 'uid'), uid })
  const spec = specOf(body, office.tokens)
  const bound = boundObjects(account, fieldsAt(body, 'spec'), office.store)
  const now = office.clock.now()
  const issuedAt = Math.floor(now.getTime() / 1000)
  const token = office.tokens.issue({
    ...account,
    uid,
    bound,
    audiences: spec.audiences,
    issuedAt,
    ...lifeOf({ spec, bound, issuedAt, own: office.tokens.audiences }),
  })
  const { creationTimestamp: _, ...kept } = metadata
  return {
    kind: KIND,
    apiVersion: `${GROUP}/v1`,
    metadata: { ...kept, ...account, uid, creationTimestamp: timestampOf(now) },
    spec,
    status: {
      token: token.open(),
      expirationTimestamp: timestampOf(new Date(now.getTime() + spec.expirationSeconds * 1000)),
    },
  }
}

/** A request that says how long its token is to last, as whoever asks is taken to have said. */
export function withUsualLife(body: Fields): Fields {
  const spec = fieldsAt(body, 'spec')
  return { ...body, spec: { ...spec, expirationSeconds: spec.expirationSeconds ?? USUAL } }
}

function refuseOtherNames({ namespace, name }: AccountName, metadata: Fields): void {
  const refuse = (key: 'name' | 'namespace', wanted: string) => {
    const found = textAt(metadata, key)
    if (found === undefined || found === wanted) return
    const why = `must match the service account ${key} if specified`
    const error = invalidField(`metadata.${key}`, found, why)
    throw invalid({ group: GROUP, kind: KIND, name }, [error])
  }
  refuse('name', name)
  refuse('namespace', namespace)
}

function refuseOtherUid(
  { name }: AccountName,
  { wanted, uid }: { wanted: string | undefined; uid: string },
): void {
  if (wanted === undefined || wanted === uid) return
  throw conflict(
    { group: GROUP, kind: KIND, name },
    `the UID in the token request (${wanted}) does not match the UID of the service account (${uid})`,
  )
}

interface Spec extends Fields {
  audiences: string[]
  expirationSeconds: number
}

function specOf(body: Fields, tokens: AccountTokens): Spec {
  const spec = fieldsAt(body, 'spec')
  const asked = listAt(spec, 'audiences').filter((one) => typeof one === 'string')
  const seconds = Number(spec.expirationSeconds ?? USUAL)
  const errors = lengthErrors(seconds)
  if (errors.length > 0) throw invalid({ group: GROUP, kind: KIND }, errors)
  return {
    audiences: asked.length > 0 ? asked : [...tokens.audiences],
    expirationSeconds: seconds,
    boundObjectRef: spec.boundObjectRef ?? null,
  }
}

function lengthErrors(seconds: number): FieldError[] {
  const refuse = (why: string) => [
    invalidField('spec.expirationSeconds', seconds, `may not specify a duration ${why}`),
  ]
  if (seconds < SHORTEST) return refuse('less than 10 minutes')
  return seconds > LONGEST ? refuse('larger than 2^32 seconds') : []
}

interface Life {
  spec: Spec
  bound: AccountClaims['bound']
  issuedAt: number
  own: readonly string[]
}

function lifeOf({
  spec,
  bound,
  issuedAt,
  own,
}: Life): Pick<AccountClaims, 'expiresAt' | 'warnAfter'> {
  const end = issuedAt + spec.expirationSeconds
  const isExtended =
    bound.pod !== undefined &&
    spec.expirationSeconds === OF_PODS &&
    spec.audiences.every((one) => own.includes(one))
  return isExtended ? { expiresAt: issuedAt + YEAR, warnAfter: end } : { expiresAt: end }
}

function boundObjects(account: AccountName, spec: Fields, store: Store): AccountClaims['bound'] {
  const { boundObjectRef: ref } = spec
  if (!isFields(ref)) return {}
  const [kind = '', apiVersion = ''] = [textAt(ref, 'kind'), textAt(ref, 'apiVersion')]
  const name = textAt(ref, 'name') ?? ''
  const isCore = !apiVersion.includes('/')
  const { namespace } = account
  if (isCore && kind === 'Secret') {
    return { secret: boundTo(ref, kind, read(store, 'secrets', { namespace, name })) }
  }
  if (isCore && kind === 'Node') {
    return { node: boundTo(ref, kind, read(store, 'nodes', { namespace: '', name })) }
  }
  if (isCore && kind === 'Pod') return boundPod(account, ref, store)
  const group = isCore ? `/${apiVersion}` : apiVersion
  throw badRequest(`cannot bind token to object of type ${group}, Kind=${kind}`)
}

function boundPod(account: AccountName, ref: Fields, store: Store): AccountClaims['bound'] {
  const name = textAt(ref, 'name') ?? ''
  const { namespace } = account
  const pod = read(store, 'pods', { namespace, name })
  const spec = fieldsAt(objectAt(store, `/pods/${namespace}/${name}`) ?? {}, 'spec')
  if (textAt(spec, 'serviceAccountName') !== account.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account.name)} to pod running with different serviceaccount name.`,
    )
  }
  const nodeName = textAt(spec, 'nodeName')
  const node = nodeName && fieldsAt(objectAt(store, `/nodes/${nodeName}`) ?? {}, 'metadata')
  return {
    pod: boundTo(ref, 'Pod', pod),
    ...(node && { node: { name: nodeName, uid: textAt(node, 'uid') ?? '' } }),
  }
}

function boundTo(ref: Fields, kind: string, metadata: Fields): Reference {
  const name = textAt(metadata, 'name') ?? ''
  const uid = textAt(metadata, 'uid') ?? ''
  const wanted = textAt(ref, 'uid')
  if (wanted === undefined || wanted === uid) return { name, uid }
  throw conflict(
    { group: '', kind, name },
    `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`,
  )
}

/** The metadata of an object; fails when there is none. */
function read(store: Store, plural: string, { namespace, name }: AccountName): Fields {
  const key = plural === 'nodes' ? `/nodes/${name}` : `/${plural}/${namespace}/${name}`
  const object = objectAt(store, key)
  if (!object) throw notFound({ group: '', kind: plural, name })
  return fieldsAt(object, 'metadata')
}

function objectAt(store: Store, key: string): Fields | undefined {
  const entry = store.get(key)
  return entry && objectIn(entry)
}
