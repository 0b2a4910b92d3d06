import { apis } from '#test/conformance/apis.ts'
import { informerContract } from './informer-contract.ts'

for (const api of apis) informerContract(api)
