import type { Behaviour, Resource } from '#apiserver/resource.ts'

/** What the documents need to know of a resource. */
export type Described = Pick<
  Resource,
  | 'group'
  | 'version'
  | 'plural'
  | 'kind'
  | 'listKind'
  | 'namespaced'
  | 'verbs'
  | 'subresources'
  | 'schema'
  | 'isCustom'
> & { behaviour?: Pick<Behaviour, 'selectableFields'> }

export interface Kind {
  group: string
  version: string
  kind: string
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch'

/** Something that can be done at a path. */
export interface Operation {
  path: string
  method: Method
  /** Kubernetes' word for it: `list`, `post`, `deletecollection` … */
  action: string
  id: string
  gvk: Kind
  /** Kinds of what is sent and answered; a list of the kind for `list`. */
  sends?: Kind | 'patch' | 'deleteOptions'
  answers: Kind | 'status'
  query: Readonly<Record<string, string>>
}

/** All that can be done with a resource and its subresources. */
export function operationsOf(resource: Described): Operation[] {
  const { namespaced, plural, verbs, subresources } = resource
  const root = rootOf(resource)
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`
  const of = { resource, gvk: kindOf(resource), suffix: '' }
  return [
    ...COLLECTION.filter(({ verb }) => verbs.includes(verb)).map((act) =>
      operation(act, { ...of, path: collection }),
    ),
    ...(namespaced
      ? COLLECTION.filter(({ verb }) => verb === 'list' && verbs.includes(verb))
      : []
    ).map((act) =>
      operation(act, { ...of, path: `${root}/${plural}`, suffix: 'ForAllNamespaces' }),
    ),
    ...ITEM.filter(({ verb }) => verbs.includes(verb)).map((act) =>
      operation(act, { ...of, path: `${collection}/{name}` }),
    ),
    ...subresources.flatMap(({ name, verbs, ...gvk }) =>
      BELOW.filter(({ verb }) => verbs.includes(verb)).map((act) =>
        operation(act, {
          resource,
          gvk,
          path: `${collection}/{name}/${name}`,
          suffix: camel(name),
        }),
      ),
    ),
  ]
}

const rootOf = ({ group, version }: Described): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`

const kindOf = ({ group, version, kind }: Described): Kind => ({ group, version, kind })

interface Act {
  verb: string
  method: Method
  action: string
  /** How the name of the operation begins. */
  word: string
  query: Readonly<Record<string, string>>
}

const WRITE = { dryRun: 'string', fieldManager: 'string', fieldValidation: 'string' }
const PATCH = { ...WRITE, force: 'boolean' }
const LIST = {
  allowWatchBookmarks: 'boolean',
  continue: 'string',
  fieldSelector: 'string',
  labelSelector: 'string',
  limit: 'integer',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
}
const DELETE = {
  dryRun: 'string',
  gracePeriodSeconds: 'integer',
  orphanDependents: 'boolean',
  propagationPolicy: 'string',
}

const act = (verb: string, method: Method, rest: Partial<Act> = {}): Act => ({
  verb,
  method,
  action: method,
  word: verb,
  query: {},
  ...rest,
})

const CREATE = act('create', 'post', { query: WRITE })
const READ = act('get', 'get', { word: 'read' })
const REPLACE = act('update', 'put', { word: 'replace', query: WRITE })
const CHANGE = act('patch', 'patch', { query: PATCH })
const COLLECTION: readonly Act[] = [
  act('list', 'get', { action: 'list', query: LIST }),
  CREATE,
  act('deletecollection', 'delete', {
    action: 'deletecollection',
    word: 'deleteCollection',
    query: { ...LIST, ...DELETE },
  }),
]
const ITEM: readonly Act[] = [READ, REPLACE, CHANGE, act('delete', 'delete', { query: DELETE })]
const BELOW: readonly Act[] = [CREATE, READ, REPLACE, CHANGE]

interface At {
  resource: Described
  gvk: Kind
  path: string
  suffix: string
}

function operation({ method, action, word, query }: Act, at: At): Operation {
  const { resource, gvk, path, suffix } = at
  const scope = path.includes('{namespace}') ? 'Namespaced' : ''
  const place = `${groupWord(resource.group)}${camel(resource.version)}`
  const sends = bodyOf(method, gvk)
  return {
    path,
    method,
    action,
    id: `${word}${place}${scope}${resource.kind}${suffix}`,
    gvk,
    ...(sends && { sends }),
    answers: answerOf(at, method, action),
    query,
  }
}

function bodyOf(method: Method, gvk: Kind): Operation['sends'] {
  if (method === 'get') return undefined
  if (method === 'patch') return 'patch'
  return method === 'delete' ? 'deleteOptions' : gvk
}

function answerOf({ resource, gvk }: At, method: Method, action: string): Operation['answers'] {
  if (action === 'list') return { ...kindOf(resource), kind: resource.listKind }
  return method === 'delete' ? 'status' : gvk
}

const groupWord = (group: string): string =>
  group === ''
    ? 'Core'
    : group
        .replace(/\.k8s\.io$/, '')
        .split('.')
        .map(camel)
        .join('')

const camel = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
