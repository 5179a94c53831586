from django.urls import path

from sponsors.rest import views

urlpatterns = [
    path("vendors/", views.VendorList.as_view(), name="vendor-list"),
    path("vendors/<str:key>/", views.VendorItem.as_view(), name="vendor-item"),
    path("placements/", views.PlacementList.as_view(), name="placement-list"),
    path("placements/<str:key>/", views.PlacementItem.as_view(), name="placement-item"),
    path("reports/", views.ReportList.as_view(), name="report-list"),
]
