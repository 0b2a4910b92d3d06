import type { Controller } from '#runtime/controller.ts'

/** Every controller of the operator. Watches and permissions follow from what they declare. */
export const controllers: readonly Controller[] = []
