import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import type { AccountTokens } from '#apiserver/security/account-tokens.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import { Chores } from './chores.ts'
import {
  builtin,
  edit,
  type Housekeeper,
  placeOf,
  read,
  removeIfThere,
  type World,
} from './world.ts'

const SECRETS = '/secrets/'
const ACCOUNTS = '/serviceaccounts/'
const TYPE = 'kubernetes.io/service-account-token'
const NAME = 'kubernetes.io/service-account.name'
const UID = 'kubernetes.io/service-account.uid'
const MENTION = Buffer.from(TYPE)

interface TokenSecretsOptions {
  tokens: AccountTokens
  /** PEM. */
  certificate: string
}

/** Fills the Secrets that ask for the token of an account, as old clients do, and removes them with it. */
export function tokenSecrets(world: World, options: TokenSecretsOptions): Housekeeper {
  const chores = new Chores({
    clock: world.clock,
    run: (key) => tend(world, key, options),
    onError: (error, key) => world.log.warn('token not written', { key, error: String(error) }),
  })
  return {
    see: ({ type, key, value }) => {
      if (type === 'put' && key.startsWith(SECRETS) && value.includes(MENTION)) chores.add(key)
      if (!key.startsWith(ACCOUNTS)) return
      const [, , namespace = ''] = key.split('/')
      for (const { key: secret, value: bytes } of world.store.list(`${SECRETS}${namespace}/`)) {
        if (bytes.includes(MENTION)) chores.add(secret)
      }
    },
    stop: () => chores.stop(),
  }
}

async function tend(world: World, key: string, options: TokenSecretsOptions): Promise<void> {
  const entry = world.store.get(key)
  const secret = entry && objectIn(entry)
  if (secret?.type !== TYPE) return
  const place = placeOf(builtin(world, '', 'secrets'), secret)
  const annotations = fieldsAt(fieldsAt(secret, 'metadata'), 'annotations')
  const account = accountOf(world, place.namespace, annotations)
  if (!account) {
    // One that was filled is worth nothing without its account; another may be early.
    if (annotations[UID] === undefined) return
    return removeIfThere(world, place, { preconditions: { uid: Object(secret.metadata).uid } })
  }
  if (fieldsAt(secret, 'data').token !== undefined && annotations[UID] === account.uid) return
  await edit(world, place, (copy) =>
    // Another may have been put in its place meanwhile, which is not to be given a token.
    isSame(copy, secret) ? filled(copy, account, options) : undefined,
  )
}

const isSame = (one: Fields, other: Fields): boolean =>
  fieldsAt(one, 'metadata').resourceVersion === fieldsAt(other, 'metadata').resourceVersion

interface Account {
  namespace: string
  name: string
  uid: string
}

function accountOf(world: World, namespace: string, annotations: Fields): Account | undefined {
  const name = textAt(annotations, NAME) ?? ''
  const resource = builtin(world, '', 'serviceaccounts')
  const found = name ? read(world, { resource, namespace, name }) : undefined
  const uid = found && textAt(fieldsAt(found, 'metadata'), 'uid')
  const stated = annotations[UID]
  return uid && (stated === undefined || stated === uid) ? { namespace, name, uid } : undefined
}

function filled(secret: Fields, account: Account, options: TokenSecretsOptions): Fields {
  const metadata = fieldsAt(secret, 'metadata')
  const token = options.tokens.issueForSecret(account, String(metadata.name))
  const annotations = { ...fieldsAt(metadata, 'annotations'), [UID]: account.uid }
  const data = {
    ...fieldsAt(secret, 'data'),
    'ca.crt': base64(options.certificate),
    namespace: base64(account.namespace),
    token: base64(token.open()),
  }
  return { ...secret, metadata: { ...metadata, annotations }, data }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
