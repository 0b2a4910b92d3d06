import { fieldsAt } from '#apiserver/objects.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import { Chores } from './chores.ts'
import { builtin, createIfMissing, edit, type Housekeeper, type World } from './world.ts'

const NAMESPACES = '/namespaces/'
const ACCOUNT = 'default'
const AUTHORITY = 'kube-root-ca.crt'

/** Gives every namespace what pods and clients count on: an account, and the API's certificate. */
export function namespaceContents(world: World, certificate: string): Housekeeper {
  const chores = new Chores({
    clock: world.clock,
    run: (name) => furnish(world, name, certificate),
    onError: (error, name) =>
      world.log.warn('namespace not furnished', { namespace: name, error: String(error) }),
  })
  return {
    see: ({ type, key, value }) => {
      if (type === 'put' && key.startsWith(NAMESPACES) && isActive(value)) {
        chores.add(key.slice(NAMESPACES.length))
      }
      // Both come back when someone deletes or changes them.
      const [, , namespace = '', name] = key.split('/')
      const isOurs =
        (key.startsWith('/serviceaccounts/') && name === ACCOUNT) ||
        (key.startsWith('/configmaps/') && name === AUTHORITY)
      const isChanged =
        type === 'remove' || (isOurs && !value.includes(JSON.stringify(certificate)))
      if (isOurs && isChanged) chores.add(namespace)
    },
    stop: () => chores.stop(),
  }
}

const isActive = (value: Buffer): boolean =>
  !fieldsAt(objectIn({ value }), 'metadata').deletionTimestamp

async function furnish(world: World, namespace: string, certificate: string): Promise<void> {
  const entry = world.store.get(`${NAMESPACES}${namespace}`)
  if (!entry || !isActive(entry.value)) return
  const accounts = builtin(world, '', 'serviceaccounts')
  const maps = builtin(world, '', 'configmaps')
  await createIfMissing(world, { resource: accounts, namespace, name: ACCOUNT }, {})
  const place = { resource: maps, namespace, name: AUTHORITY }
  const data = { 'ca.crt': certificate }
  await createIfMissing(world, place, {
    metadata: { annotations: { 'kubernetes.io/description': DESCRIPTION } },
    data,
  })
  await edit(world, place, (copy) =>
    fieldsAt(copy, 'data')['ca.crt'] === certificate ? undefined : { ...copy, data },
  )
}

const DESCRIPTION = 'The certificate by which clients in this namespace know this API.'
