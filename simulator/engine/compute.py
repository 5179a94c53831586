"""What accelerators compute: floating-point work against power, and how much of a peak a training run uses."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from simulator.engine.numbers import Range, require

PFLOPS = Range("PFlop/s", above=0, high=100_000_000)
GFLOPS_PER_W = Range("GFlop/s/W", above=0, high=1_000_000)
TFLOPS = Range("TFlop/s", above=0, high=10_000_000)
POWER_KW = Range("kW", above=0, high=100_000_000)
BILLIONS = Range("billion", above=0, high=1_000_000_000)
EFLOP = Range("EFlop", above=0, high=10**19)
DEGREE = Range("ways", low=1, high=1_000_000, step=Decimal(1))


def power_of_efficiency_kw(rmax_pflops: Decimal, gflops_per_w: Decimal) -> Decimal:
    """Return the power in kW behind a rate at an efficiency: PFlop/s · 10⁶ / (GFlop/s/W) / 1000.

    Valid where both are of one run; the Green500 lists efficiencies of runs that were tuned apart. Source: definition.
    """
    require(rmax_pflops=(rmax_pflops, PFLOPS), gflops_per_w=(gflops_per_w, GFLOPS_PER_W))
    return rmax_pflops * 1000 / gflops_per_w


def efficiency_gflops_per_w(rmax_pflops: Decimal, power_kw: Decimal) -> Decimal:
    """Return the efficiency in GFlop/s/W: PFlop/s · 10⁶ / (kW · 1000).

    Valid where both are of one run. Source: definition of the Green500.
    """
    require(rmax_pflops=(rmax_pflops, PFLOPS), power_kw=(power_kw, POWER_KW))
    return rmax_pflops * 1000 / power_kw


def model_flops_utilisation(achieved_tflops: Decimal, peak_tflops: Decimal) -> Decimal:
    """Return the share of the dense peak that a run achieves: TFlop/s / TFlop/s, both of one accelerator.

    Valid for the peak of the number format used, without sparsity. Source: Chowdhery et al., PaLM, 2022, appendix B.
    """
    require(achieved_tflops=(achieved_tflops, TFLOPS), peak_tflops=(peak_tflops, TFLOPS))
    return achieved_tflops / peak_tflops


def training_eflop(parameters_billion: Decimal, tokens_billion: Decimal) -> Decimal:
    """Return the floating-point work of training a dense model in EFlop: 6 · parameters · tokens.

    Two operations a parameter and token forward, four backward; attention adds a few per cent at long contexts, and of
    a mixture of experts only the active parameters count. Valid for dense models whose context is short against their
    width. Source: Kaplan et al., Scaling Laws for Neural Language Models, 2020, section 2.1.
    """
    require(parameters_billion=(parameters_billion, BILLIONS), tokens_billion=(tokens_billion, BILLIONS))
    # 10⁹ parameters times 10⁹ tokens are 10¹⁸: an EFlop.
    return 6 * parameters_billion * tokens_billion


def training_gpu_hours(work_eflop: Decimal, achieved_tflops: Decimal) -> Decimal:
    """Return the accelerator hours of a work: EFlop · 10⁶ / (TFlop/s) / 3600. Valid without interruptions.

    Source: definition of a rate.
    """
    require(work_eflop=(work_eflop, EFLOP), achieved_tflops=(achieved_tflops, TFLOPS))
    return work_eflop * 10**6 / achieved_tflops / 3600


def achieved_tflops(parameters_billion: Decimal, tokens_per_s: Decimal, gpus: Decimal) -> Decimal:
    """Return what each accelerator of a run computes, in TFlop/s: 6 · parameters · tokens a second / accelerators.

    Valid as `training_eflop` is. Source: Kaplan et al., Scaling Laws for Neural Language Models, 2020, section 2.1.
    """
    require(
        parameters_billion=(parameters_billion, BILLIONS),
        tokens_per_s=(tokens_per_s, Range("tokens/s", above=0)),
        gpus=(gpus, Range("accelerators", above=0)),
    )
    return 6 * parameters_billion * tokens_per_s / 1000 / gpus


def parallel_gpus(*ways: Decimal) -> Decimal:
    """Return the accelerators of a run: the product of its tensor, context, pipeline and data parallel degrees.

    Valid for whole degrees. Source: definition.
    """
    product = Decimal(1)
    for degree in ways:
        require(ways=(degree, DEGREE))
        product *= degree
    return product


def utilised_power_w(
    idle_w: Decimal, max_w: Decimal, utilisation: Decimal, curve: str, *, r: Decimal, a: Decimal
) -> Decimal:
    """Return the power in W at a utilisation in [0, 1] by one of seven curves from idle to maximum.

    idle + (max − idle) · s, with s = u (linear), u² (square), u³ (cubic), √u (sqrt), 2u − u^r (mse),
    (1 + u − e^(−u/a)) / 2 (asymptotic), or the same of u³ (asymptotic_dvfs); the last two end a little below the
    maximum. Valid for max ≥ idle, r from 1, and a, at which power becomes linear, from 0.2 to 0.8. The choice of curve
    is worth a fifth of the range at 90 %. Source: Fan, Weber & Barroso, Power Provisioning for a Warehouse-sized
    Computer, ISCA 2007 (mse); Kliazovich et al., e-STAB, GreenCom 2013 (asymptotic); OpenDC, CpuPowerModels.
    """
    require(
        idle_w=(idle_w, Range("W", low=0, high=max_w)),
        utilisation=(utilisation, Range("", low=0, high=1)),
        r=(r, Range("", low=1, high=10)),
        a=(a, Range("", low=Decimal("0.2"), high=Decimal("0.8"))),
    )
    shapes: dict[str, Callable[[Decimal], Decimal]] = {
        "linear": lambda u: u,
        "square": lambda u: u * u,
        "cubic": lambda u: u * u * u,
        "sqrt": lambda u: u.sqrt(),
        "mse": lambda u: 2 * u - (Decimal(u**r) if u else u),
        "asymptotic": lambda u: (1 + u - (-u / a).exp()) / 2,
        "asymptotic_dvfs": lambda u: (1 + u * u * u - (-u * u * u / a).exp()) / 2,
    }
    return idle_w + (max_w - idle_w) * shapes[curve](utilisation)


POWER_CURVES = ("linear", "square", "cubic", "sqrt", "mse", "asymptotic", "asymptotic_dvfs")
