import { parseYamlInSteps } from '#base/yaml-in-steps.ts'
import { ApiFailure } from './failure.ts'
import { parseBodyInSteps } from './parse-json.ts'
import type { Steps } from './steps.ts'

// What comes of so much is made in one go, and that without keeping others waiting.
const LARGEST_YAML = 16 * 1024

/**
 * The value of a body that may be YAML, with pauses. Most are JSON, which is YAML too; of any other there may not be
 * much, or this throws an `ApiFailure`.
 */
export function* parseYamlBodyInSteps(text: string): Steps<unknown> {
  if (/^\s*[{[]/.test(text)) {
    try {
      return yield* parseBodyInSteps(text)
    } catch (error) {
      if (error instanceof ApiFailure || text.length > LARGEST_YAML) throw error
    }
  }
  if (text.length > LARGEST_YAML) {
    throw new ApiFailure(
      413,
      `Request entity too large: limit is ${LARGEST_YAML} for YAML that is not JSON`,
      { reason: 'RequestEntityTooLarge' },
    )
  }
  return yield* parseYamlInSteps(text)
}
