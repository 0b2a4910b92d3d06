import { ApiFailure, badRequest } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { problemsOf } from './check-config.ts'
import { type Claim, lay } from './claim.ts'
import { copyOf } from './copy.ts'
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
export function applyConfiguration(application: Application): Applied {
  checkHead(application)
  const { config, live, writer } = application
  const claim = claimOf(application)
  const laid = lay(claim, application.force)
  const merged = writer === 'kubectl' ? withLastApplied(laid.object, config) : laid.object
  const managedFields = writeManagedFields(laid.owners)
  if (live !== undefined && merged === claim.object) {
    if (isSameList(managedFieldsOf(live), managedFields)) return { object: live, isUnchanged: true }
  }
  const object = copyOf(merged)
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
function claimOf(application: Application): Claim {
  const { door, live, empty, config, writer, now } = application
  const shape = rootShapeOf(door.schema)
  const problems = problemsOf(config, shape)
  if (problems.length > 0) throw untyped(application, problems)
  const object = live === undefined ? empty : withoutManagedFields(live)
  const owners: Owners = (live && readManagedFields(managedFieldsOf(live))) ?? new Map()
  const set = fieldSetOf(config, shape)
  return {
    door,
    writer,
    now,
    object,
    config,
    owners:
      live === undefined || owners.size > 0
        ? fitOwners(door, owners)
        : firstOwner(application, object),
    set: door.reset === undefined ? set : deepDifference(set, door.reset),
  }
}

/** Of an object whose owners are not known: one who stands for all. */
const firstOwner = ({ door, empty, now }: Application, object: Fields): Owners =>
  give({ door, writer: 'before-first-apply', now }, new Change(door, empty, object), new Map())

function untyped({ door, kind, config }: Application, problems: readonly string[]): Error {
  const metadata = fieldsAt(config, 'metadata')
  const whose = `${textAt(metadata, 'namespace') ?? ''}/${textAt(metadata, 'name') ?? ''}; ${shownKind(door.apiVersion, kind)}`
  const [only] = problems
  const why =
    problems.length === 1 && only !== undefined
      ? only
      : ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n')
  return new ApiFailure(500, `failed to create typed patch object (${whose}): ${why}`, {
    reason: '',
  })
}
