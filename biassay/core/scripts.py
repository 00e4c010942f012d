"""Call the main function of a script with the files and parameters of its Snakemake job."""

import inspect
from collections.abc import Callable
from typing import Any

from biassay.core import logs


def run(main: Callable[..., None], job: Any, **values: object) -> None:
    """Start the job's log and call `main`; each argument is the item of the job that has its name.

    Parameters
    ----------
    main
        Function to call. Each argument is looked up in the parameters, inputs, wildcards and outputs of the job, in
        this order. `x_out` is the output x; `out` is the first output, or all if it is declared as a list or dict. A
        dictionary whose parameter is a list is built from it, as keys, and the input of its name. Arguments that are
        declared as int or list are converted. Arguments with a default may be missing.
    job
        The object `snakemake` of a script.
    **values
        Arguments that have another name in the job, or are computed from it.
    """
    logs.start(job.log[0])
    parameters = inspect.signature(main).parameters.values()
    main(**{each.name: values[each.name] if each.name in values else _find(job, each) for each in parameters})


def _find(job: Any, parameter: inspect.Parameter) -> Any:
    params, inputs, wildcards, outputs = (
        dict(items.items()) for items in (job.params, job.input, job.wildcards, job.output)
    )
    name, is_list = parameter.name, str(parameter.annotation).startswith("list")
    if name == "threads":
        return job.threads
    if name == "out" and name not in outputs:
        if str(parameter.annotation).startswith("dict"):
            return outputs
        return list(job.output) if is_list else job.output[0]
    if name.endswith("_out"):
        return outputs[name.removesuffix("_out")]
    if str(parameter.annotation).startswith("dict") and isinstance(params.get(name), list) and name in inputs:
        return dict(zip(params[name], inputs[name], strict=True))
    for items in (params, inputs, wildcards, outputs):
        if name in items:
            return int(items[name]) if parameter.annotation is int else list(items[name]) if is_list else items[name]
    if parameter.default is not parameter.empty:
        return parameter.default
    raise TypeError(f"{job.log[0]}: the rule has no parameter, input, wildcard or output {name!r}")
