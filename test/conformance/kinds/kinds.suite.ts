import { realApi } from '#test/conformance/apis.ts'
import { kindsContract } from './kinds-contract.ts'

kindsContract(realApi)
