import { realApi } from '#test/conformance/apis.ts'
import { informerContract } from './informer-contract.ts'

informerContract(realApi)
