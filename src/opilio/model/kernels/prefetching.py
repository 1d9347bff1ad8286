"""A hint to the processor that an array's element will be needed soon. It changes nothing but time."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_BYTE = ir.IntType(8).as_pointer()
_NUMBER = ir.IntType(32)


@intrinsic
def prefetch(_, array, index):
    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), _BYTE)
        kind = ir.FunctionType(ir.VoidType(), [_BYTE, _NUMBER, _NUMBER, _NUMBER])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [_BYTE], kind)
        builder.call(hint, [address, _NUMBER(0), _NUMBER(3), _NUMBER(1)])  # to read, into every cache, data
        return context.get_dummy_value()

    return types.void(array, index), generate
