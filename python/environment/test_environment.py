"""The PyTorch in use does what holding designs against it takes, on the CPU."""

import torch
from torch.utils.flop_counter import FlopCounterMode


def test_counts_parameters_on_the_meta_device() -> None:
    with torch.device("meta"):
        head = torch.nn.Linear(768, 50257)
    assert sum(p.numel() for p in head.parameters()) == 768 * 50257 + 50257


def test_counts_attention_as_if_nothing_were_masked() -> None:
    batch, heads, length, width = 2, 3, 8, 4
    q, k, v = (torch.randn(batch, heads, length, width) for _ in range(3))
    with FlopCounterMode(display=False) as counter:
        torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    # Scores and weighted values, each 2 FLOPs a pair and channel.
    assert counter.get_total_flops() == 2 * (
        2 * batch * heads * length * length * width
    )


def test_computes_on_the_cpu() -> None:
    assert not torch.cuda.is_available()
    x = torch.arange(6.0).reshape(2, 3)
    assert (x @ x.T).tolist() == [[5.0, 14.0], [14.0, 50.0]]


def test_exports_with_dynamic_lengths() -> None:
    layer = torch.nn.Linear(8, 16)
    dims = ({0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO},)
    exported = torch.export.export(layer, (torch.randn(2, 5, 8),), dynamic_shapes=dims)
    assert exported.module()(torch.randn(3, 7, 8)).shape == (3, 7, 16)
