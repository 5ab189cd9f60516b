"""The picture of a board with its legend."""

from __future__ import annotations

import warnings

from helpers.support import board_from, house

from cluedo.experiments.draw.board_picture import board_figure


def test_a_legend_of_long_names_has_room_beside_a_small_board():
    data = house()
    for suspect in data["suspects"]:
        suspect["name"] = f"{suspect['name']} {'Wide' * 10}"[:40]
    figure = board_figure(board_from(data))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # such as that a layout cannot be found
        figure.draw_without_rendering()
    (axes,), (legend,) = figure.axes, figure.legends
    assert axes.bbox.x1 < legend.get_window_extent().x0 < legend.get_window_extent().x1 <= figure.bbox.x1
    assert axes.bbox.width > 2.5 * figure.dpi
