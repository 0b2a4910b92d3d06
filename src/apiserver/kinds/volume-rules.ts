import {
  duplicateField,
  type FieldError,
  forbiddenField,
  required,
} from '#apiserver/field-error.ts'
import { dnsLabel } from '#apiserver/metadata/name-rules.ts'
import type { Fields } from '#apiserver/objects.ts'
import { checkRule, checkText, duplicateFinder, nameIn } from './field-checks.ts'
import { itemsOf, partOf } from './fill.ts'

/** What is wrong with the volumes of a pod. */
export function validateVolumes(spec: Fields, field: string): FieldError[] {
  const isDuplicate = duplicateFinder()
  return itemsOf(spec, 'volumes').flatMap((volume, index) => {
    const at = `${field}[${index}]`
    const name = nameIn(volume)
    const problems = [
      ...validateSources(volume, at),
      ...(name ? checkRule(name, `${at}.name`, dnsLabel) : [required(`${at}.name`, '')]),
    ]
    if (problems.length === 0 && isDuplicate(name))
      problems.push(duplicateField(`${at}.name`, name))
    return problems
  })
}

/** Where the name of what a volume is made of stands; it has to be there. */
const names: Readonly<Record<string, string>> = {
  secret: 'secretName',
  configMap: 'name',
  persistentVolumeClaim: 'claimName',
  hostPath: 'path',
}

function validateSources(volume: Fields, field: string): FieldError[] {
  // The order in which Kubernetes looks for them: the first one counts, each other is one too many.
  const known = [...order.filter((key) => volume[key] != null)]
  const [first, ...others] = [
    ...known,
    ...Object.keys(volume).filter((key) => key !== 'name' && !order.includes(key)),
  ]
  if (!first) return [required(field, 'must specify a volume type')]
  const name = names[first]
  const source = partOf(volume, first) ?? {}
  return [
    ...(name ? checkText(source[name], `${field}.${first}.${name}`) : []),
    ...others.map((key) =>
      forbiddenField(`${field}.${key}`, 'may not specify more than 1 volume type'),
    ),
  ]
}

const order = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'secret',
  'nfs',
  'iscsi',
  'persistentVolumeClaim',
  'configMap',
  'downwardAPI',
  'projected',
  'csi',
  'ephemeral',
  'image',
]
