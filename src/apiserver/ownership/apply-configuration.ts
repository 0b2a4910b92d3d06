import { ApiFailure, badRequest } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { atOnce, type Steps } from '#apiserver/steps.ts'
import { problemsOf } from './check-config.ts'
import { type Claim, lay } from './claim.ts'
import { copyInSteps } from './copy.ts'
import { deepDifference } from './field-set.ts'
import { fieldSetOf } from './field-set-of.ts'
import { withLastApplied } from './last-applied.ts'
import {
  managedFieldsOf,
  type Owners,
  readManagedFields,
  withoutManagedFields,
  writeManagedFields,
} from './managed-fields.ts'
import { PathElementError } from './path-element.ts'
import { rootShapeOf } from './shape.ts'
import { Change, type Door, fitOwners } from './transfer.ts'
import { give } from './update-ownership.ts'

/** A server-side apply. */
export interface Application {
  readonly door: Door
  readonly kind: string
  /** As it is kept; left out when it does not exist yet. */
  readonly live?: Fields
  /** A new object of the kind with nothing in it. */
  readonly empty: Fields
  readonly config: Fields
  readonly writer: string
  readonly force: boolean
  /** As timestamps are written. */
  readonly now: string
}

export interface Applied {
  /** With its `managedFields`, before defaults. The caller's own, unless it is unchanged. */
  readonly object: Fields
  /** Neither the object nor who owns what of it is another: then `object` is what is kept. */
  readonly isUnchanged: boolean
}

/** Lays a configuration over an object. Throws an `ApiFailure` when that cannot be; changes neither. */
export const applyConfiguration = (application: Application): Applied =>
  atOnce(applyInSteps(application))

/** The same, with pauses. */
export function* applyInSteps(application: Application): Steps<Applied> {
  checkHead(application)
  const { config, live, writer } = application
  const claim = yield* claimOf(application)
  yield
  const laid = yield* lay(claim, application.force)
  const merged = writer === 'kubectl' ? withLastApplied(laid.object, config) : laid.object
  yield
  const managedFields = yield* writeManagedFields(laid.owners)
  yield
  if (live !== undefined && merged === claim.object) {
    if (isSameList(managedFieldsOf(live), managedFields)) return { object: live, isUnchanged: true }
  }
  const object = yield* copyInSteps(merged)
  const metadata = fieldsAt(object, 'metadata')
  for (const key of Object.keys(metadata)) if (metadata[key] === null) delete metadata[key]
  object.metadata = { ...metadata, ...(managedFields.length > 0 && { managedFields }) }
  return { object, isUnchanged: false }
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((entry, index) => entry === b[index])

function checkHead({ door, kind, config }: Application): void {
  const asked = { apiVersion: textAt(config, 'apiVersion'), kind: textAt(config, 'kind') }
  if (asked.apiVersion !== door.apiVersion || asked.kind !== kind) {
    throw badRequest(`invalid object type: ${shownKind(asked.apiVersion, asked.kind)}`)
  }
  if (Array.isArray(fieldsAt(config, 'metadata').managedFields)) {
    throw badRequest('metadata.managedFields must be nil')
  }
}

/** `apps/v1, Kind=Deployment`, and `/v1, Kind=Secret` for what is in no group. */
const shownKind = (apiVersion = '', kind = ''): string =>
  `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`

/** What is there, who owns what of it, and what the configuration claims. */
function* claimOf(application: Application): Steps<Claim> {
  const { door, live, empty, config, writer, now } = application
  const shape = rootShapeOf(door.schema)
  const problems = yield* problemsOf(config, shape)
  if (problems.length > 0) throw untyped(application, problems)
  yield
  const object = live === undefined ? empty : withoutManagedFields(live)
  const owners: Owners = (live && (yield* readManagedFields(managedFieldsOf(live)))) ?? new Map()
  yield
  const set = yield* fieldSetOf(config, shape)
  yield
  return {
    door,
    writer,
    now,
    object,
    config,
    owners:
      live === undefined || owners.size > 0
        ? yield* fitOwners(door, owners)
        : yield* firstOwner(application, object),
    set: door.reset === undefined ? set : yield* deepDifference(set, door.reset),
  }
}

/** Of an object whose owners are not known: one who stands for all. */
function* firstOwner(application: Application, object: Fields): Steps<Owners> {
  const { door, empty, now } = application
  try {
    const change = new Change(door, empty, object)
    return yield* give({ door, writer: 'before-first-apply', now }, change, new Map())
  } catch (error) {
    if (!(error instanceof PathElementError)) throw error
    throw yield* unowned(application, object)
  }
}

/** An object of which nobody can own parts, for the items of a list cannot be told apart. */
function* unowned({ door, kind }: Application, object: Fields): Steps<Error> {
  const problems = yield* problemsOf(object, rootShapeOf(door.schema))
  const why = told(problems.filter((problem) => problem.includes(': element ')))
  const whose = shownObject(object, shownKind(door.apiVersion, kind))
  return new ApiFailure(
    500,
    `failed to create manager for existing fields: failed to convert new object (${whose}) to smd typed: ${why}`,
    { reason: '' },
  )
}

const untyped = ({ door, kind, config }: Application, problems: readonly string[]): Error => {
  const whose = shownObject(config, shownKind(door.apiVersion, kind))
  return new ApiFailure(500, `failed to create typed patch object (${whose}): ${told(problems)}`, {
    reason: '',
  })
}

function shownObject(object: Fields, kind: string): string {
  const metadata = fieldsAt(object, 'metadata')
  return `${textAt(metadata, 'namespace') ?? ''}/${textAt(metadata, 'name') ?? ''}; ${kind}`
}

const told = (problems: readonly string[]): string =>
  problems.length === 1
    ? problems.join()
    : ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n')
