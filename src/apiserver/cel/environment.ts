import { type Functions, functionsOf } from '#base/cel/declarations.ts'
import { type Environment, STANDARD_TYPES } from '#base/cel/environment.ts'
import { EXTENSION_MACROS, OPTIONAL_MACROS, STANDARD_MACROS } from '#base/cel/macros.ts'
import { OPTIONAL_SIGNATURES } from '#base/cel/optional-signatures.ts'
import { MIXED_COMPARISON_SIGNATURES, STANDARD_SIGNATURES } from '#base/cel/standard-signatures.ts'
import { opaqueOf, optionalOf, parameter, structOf, type Type, typeOf } from '#base/cel/types.ts'
import { EXTENSION_SIGNATURES } from './functions/extension-signatures.ts'
import { KUBERNETES_SIGNATURES } from './functions/kubernetes-signatures.ts'

const OWN_TYPES = [
  opaqueOf('net.IP'),
  opaqueOf('net.CIDR'),
  ...['Quantity', 'URL', 'NamedFormat', 'Semver'].map((name) => structOf(`kubernetes.${name}`)),
]

/** Declared, but rules of CRDs have no value of them. */
const AUTHORIZATION = ['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(
  (name) => structOf(`kubernetes.authorization.${name}`),
)

const SIGNATURES = [
  STANDARD_SIGNATURES,
  MIXED_COMPARISON_SIGNATURES,
  OPTIONAL_SIGNATURES,
  EXTENSION_SIGNATURES,
  KUBERNETES_SIGNATURES,
]

const lastName = (name: string): string => name.replace(/^.*\./, '')

let functions: Functions | undefined

/** What rules of CRDs can use, with the variables of one of them. */
export function ruleEnvironment(variables: ReadonlyMap<string, Type>): Environment {
  functions ??= functionsOf(
    SIGNATURES,
    new Map([...OWN_TYPES, ...AUTHORIZATION].map((type) => [lastName(type.name), type])),
  )
  return { ...ENVIRONMENT, functions, variables }
}

const ENVIRONMENT: Omit<Environment, 'functions' | 'variables'> = {
  types: new Map([
    ...STANDARD_TYPES,
    ...[optionalOf(parameter('V')), ...OWN_TYPES].map((type) => [type.name, typeOf(type)] as const),
  ]),
  macros: { ...STANDARD_MACROS, ...OPTIONAL_MACROS, ...EXTENSION_MACROS },
  hasOptionals: true,
  hasQuotedFields: false,
  mostCharacters: 100_000,
}
