import type { ErrorCode } from '#base/error-catalogue.ts'
import { codeOf, messageOf } from '#base/operator-error.ts'
import { ApiError } from '#kube/api-error.ts'

/** What a pass failed with, by its name in the catalogue. */
export const failureCode = (failure: unknown): ErrorCode =>
  isForbidden(failure) ? 'Forbidden' : codeOf(failure)

/** The same in words, with the rule that the operator's role lacks if the server says which. */
export function failureWords(failure: unknown): string {
  const said = messageOf(failure)
  if (!isForbidden(failure)) return said
  const [, verb, resource, group] =
    /cannot (\w+) resource "([^"]+)" in API group "([^"]*)"/.exec(said) ?? []
  if (verb === undefined) return said
  return `${said}. The operator’s role lacks the rule {apiGroups: ["${group}"], resources: ["${resource}"], verbs: ["${verb}"]}: apply the roles of this version, or add it`
}

const isForbidden = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.reason === 'Forbidden'
